import type postgres from 'postgres'
import { expect } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import type { CornerCases } from './corner-cases.ts'

const [alice, bob, resolver] = (['alice', 'bob', 'resolver'] as const).map((role) =>
  devAccount(role).account.address.toLowerCase(),
)

/** The rows of the corner cases, by their values: that the case occurred, and its result. */
export async function expectCornerCases(sql: postgres.Sql, tasks: CornerCases): Promise<void> {
  const pitches = await sql`
    SELECT worker, anchor_count, pitch_index FROM market.pitch WHERE task_id = ${tasks.repeatedPitch} ORDER BY pitch_index`
  expect([...pitches]).toEqual([
    { worker: alice, anchor_count: 2, pitch_index: 0 },
    { worker: alice, anchor_count: 1, pitch_index: 2 },
  ])

  const bids = await sql`
    SELECT worker, price, placed_count FROM market.bid WHERE task_id = ${tasks.tie} ORDER BY price, bid_number`
  expect([...bids]).toEqual([
    { worker: alice, price: '900000', placed_count: 1 },
    { worker: bob, price: '900000', placed_count: 2 },
  ])
  const [won] = await sql`SELECT worker, lowest_bidder, price, escrow FROM market.task WHERE id = ${tasks.tie}`
  expect(won).toEqual({ worker: alice, lowest_bidder: alice, price: '900000', escrow: '900000' })

  const claims = await sql`
    SELECT worker, round, status, stake_amount FROM market.claim WHERE task_id = ${tasks.secondClaim} ORDER BY round`
  expect([...claims]).toEqual([
    { worker: alice, round: 0, status: 'forfeited', stake_amount: '100000' },
    { worker: alice, round: 1, status: 'submitted', stake_amount: '100000' },
  ])

  const [evaluated] = await sql`
    SELECT t.status, t.worker, t.primary_worker, e.evaluator, e.timed_out_at, e.verdict, a.rank, a.deliverable
    FROM market.task t JOIN market.evaluation e ON e.task_id = t.id JOIN market.award a ON a.task_id = t.id
    WHERE t.id = ${tasks.secondEvaluator}`
  expect(evaluated).toEqual({
    status: 'completed',
    worker: null,
    primary_worker: null,
    evaluator: resolver,
    timed_out_at: null,
    verdict: 'partial',
    rank: 2,
    deliverable: `0x${'05'.repeat(32)}`,
  })

  const ended = await sql`
    SELECT t.status, t.objected, t.stake, c.status AS claim
    FROM market.task t JOIN market.claim c ON c.task_id = t.id
    WHERE t.id IN (${tasks.refusedDelivery}, ${tasks.expiredClaim}) ORDER BY t.created_at_ms`
  expect([...ended]).toEqual([
    { status: 'expired', objected: true, stake: '0', claim: 'returned' },
    { status: 'expired', objected: false, stake: '0', claim: 'forfeited' },
  ])

  const [returned] = await sql`SELECT agent_id FROM market.agent WHERE address = ${alice ?? ''}`
  expect(BigInt(returned?.agent_id)).toBe(tasks.returnedIdentity)
}
