import { type Hex, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { proofTypes, toProofTypeHash } from '../../../protocol/rules/proof-type.ts'
import { logsOf, lower, orZero, type Subject } from './expectation.ts'
import { readMarket } from './task-states.ts'

/** Every pitch against its first log, and the number of its logs. */
export async function expectPitchesEqual({ sql, logs }: Subject): Promise<void> {
  const expected = new Map<string, Record<string, unknown>>()
  for (const { args, blockTimestamp } of logsOf(logs, 'PitchSubmitted')) {
    const key = `${args.taskId} ${args.worker} ${args.pitchHash}`
    const first = expected.get(key) ?? {
      task_id: args.taskId,
      worker: lower(args.worker),
      pitch_hash: args.pitchHash,
      pitch_index: args.pitchIndex,
      anchor_count: 0,
      submitted_at: String(blockTimestamp),
    }
    expected.set(key, { ...first, anchor_count: Number(first.anchor_count) + 1 })
  }
  const rows = await sql`
    SELECT task_id, worker, pitch_hash, pitch_index, anchor_count, submitted_at
    FROM market.pitch ORDER BY block_number, log_index`
  expect([...rows]).toEqual([...expected.values()])
}

/** Every worker's bid against its last log; the lowest of open auctions against lowestBidOf. */
export async function expectBidsEqual({ sql, chain, logs }: Subject): Promise<void> {
  const expected = new Map<string, Record<string, unknown>>()
  for (const { args, blockTimestamp } of logsOf(logs, 'BidSubmitted')) {
    const key = `${args.taskId} ${args.worker}`
    const placed = Number(expected.get(key)?.placed_count ?? 0)
    expected.delete(key)
    expected.set(key, {
      task_id: args.taskId,
      worker: lower(args.worker),
      price: String(args.price),
      bid_number: args.bidCount,
      placed_count: placed + 1,
      placed_at: String(blockTimestamp),
    })
  }
  const rows = await sql`
    SELECT task_id, worker, price::text, bid_number, placed_count, placed_at
    FROM market.bid ORDER BY block_number, log_index`
  expect([...rows]).toEqual([...expected.values()])
  // The copies of task columns in a bid are current, and the task counts its active bids.
  const untrue = await sql`
    SELECT t.id FROM market.task t
    WHERE t.bidder_count <> (SELECT count(*) FROM market.bid b WHERE b.task_id = t.id)
      OR EXISTS (SELECT FROM market.bid b WHERE b.task_id = t.id AND b.bid_deadline IS DISTINCT FROM t.bid_deadline)`
  expect([...untrue]).toEqual([])

  const ids = logs.tasks.map(({ id }) => [id] as const)
  const views = await readMarket(chain, 'lowestBidOf', ids)
  const tasks = await sql`SELECT status, lowest_bid, lowest_bidder FROM market.task ORDER BY created_at_ms`
  // The contract returns it for open auctions only.
  const lowest = tasks.map((row) =>
    row.status === 'open' ? [row.lowest_bidder ?? zeroAddress, orZero(row.lowest_bid)] : [zeroAddress, 0n],
  )
  expect(lowest).toEqual(views.map(([worker, price]) => [lower(worker), price]))
  // The winner is the first in the order of the index.
  const wrong = await sql`
    SELECT t.id FROM market.task t
    LEFT JOIN LATERAL (
      SELECT * FROM market.bid WHERE task_id = t.id ORDER BY price, bid_number LIMIT 1) AS b ON true
    WHERE (t.lowest_bid, t.lowest_bidder) IS DISTINCT FROM (b.price, b.worker)`
  expect([...wrong]).toEqual([])
}

/** Every proof against its log, and against its submission. */
export async function expectProofsEqual({ sql, logs }: Subject): Promise<void> {
  const names = new Map<Hex, string>(proofTypes.map((type) => [toProofTypeHash(type), type]))
  const rows = await sql`
    SELECT p.task_id, p.worker, p.proof_hash, p.proof_type, p.metric_value::text, p.proof_index, p.submitted_at,
           s.deliverable
    FROM market.proof p LEFT JOIN market.submission s ON s.id = p.id ORDER BY p.block_number, p.log_index`
  expect([...rows]).toEqual(
    logsOf(logs, 'ProofSubmitted').map(({ args, blockTimestamp }) => ({
      task_id: args.taskId,
      worker: lower(args.worker),
      proof_hash: args.proofHash,
      proof_type: names.get(args.proofType) ?? 'unknown',
      metric_value: String(args.metricValue),
      proof_index: args.proofIndex,
      submitted_at: String(blockTimestamp),
      deliverable: args.proofHash,
    })),
  )
}
