import type postgres from 'postgres'
import { type Address, concatHex, type Hex, keccak256, zeroHash } from 'viem'
import { expect } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { toModeSelector } from '../../../src/rules/selectors.ts'
import { taskStatuses } from '../../../src/rules/task-status.ts'
import { actorAddresses } from './market-calls.ts'
import type { MarketChain } from './market-chain.ts'
import type { MarketLogs } from './market-logs.ts'

interface Subject {
  sql: postgres.Sql
  chain: MarketChain
  logs: MarketLogs
}

const zeroAddress = '0x0000000000000000000000000000000000000000'
const zeroSelector = '0x00000000'

/** Every task's row, field by field, against getTask; and no row that the chain does not have. */
export async function expectTasksEqual({ sql, chain, logs }: Subject): Promise<void> {
  const views = await chain.client.multicall({
    multicallAddress: chain.deployment.multicall3,
    allowFailure: false,
    contracts: logs.tasks.map(({ id }) => ({
      abi: taskMarketAbi,
      address: chain.deployment.market,
      functionName: 'getTask' as const,
      args: [id] as const,
    })),
  })
  const rows = await sql`SELECT * FROM market.task ORDER BY created_at_ms`
  expect(rows.map((row) => row.id)).toEqual(logs.tasks.map(({ id }) => id))
  expect(rows.map(viewOfRow)).toEqual(views.map((view) => ({ ...view, requester: lower(view.requester) })))
}

/** What getTask would answer, made of a row. A bounty has none of the fields that are constants here. */
function viewOfRow(row: postgres.Row) {
  return {
    requester: row.requester,
    mode: row.mode === 'bounty' ? toModeSelector('bounty') : row.mode,
    auctionType: row.auction_type ?? zeroSelector,
    status: taskStatuses.indexOf(row.status) + 1,
    reward: BigInt(row.reward),
    escrow: BigInt(row.escrow),
    feeBps: row.platform_fee_bps,
    stakeBps: row.stake_bps,
    createdAt: Number(row.created_at),
    expiryTime: Number(row.expiry_time),
    pitchDeadline: Number(row.pitch_deadline ?? 0),
    bidDeadline: Number(row.bid_deadline ?? 0),
    clockPrice: BigInt(row.clock_price ?? 0),
    contentHash: row.content_hash,
    tagsHash: row.tag_hashes.length === 0 ? zeroHash : keccak256(concatHex(row.tag_hashes)),
    worker: row.worker ?? zeroAddress,
    price: BigInt(row.price ?? 0),
    stake: 0n,
    submissionCount: row.submission_count,
    activeSubmissions: row.active_submission_count,
    pitchCount: row.pitch_count,
    bidCount: row.bid_count,
    proofCount: row.proof_count,
    awardCount: row.award_count,
    round: row.claim_round,
    deliveredAt: 0,
    objected: false,
  }
}

/** Every (task, actor) against entryOf; a row that is absent is an entry of zeros. */
export async function expectEntriesEqual({ sql, chain, logs }: Subject): Promise<void> {
  const pairs = logs.tasks.flatMap(({ id }) => actorAddresses.map((worker) => [id, worker] as const))
  const views = await chain.client.multicall({
    multicallAddress: chain.deployment.multicall3,
    allowFailure: false,
    contracts: pairs.map((args) => ({
      abi: taskMarketAbi,
      address: chain.deployment.market,
      functionName: 'entryOf' as const,
      args,
    })),
  })
  const rows = await sql`SELECT * FROM market.task_entry`
  const byId = new Map(rows.map((row) => [row.id, row]))
  const entries = pairs.map(([taskId, worker]) => {
    const row = byId.get(`${taskId}:${lower(worker)}`)
    byId.delete(`${taskId}:${lower(worker)}`)
    return {
      submissions: row?.submission_count ?? 0,
      active: row?.active_submission_count ?? 0,
      rejected: row?.rejected ?? false,
      awarded: row?.awarded ?? false,
      rated: row?.rated ?? false,
    }
  })
  expect(entries).toEqual(views)
  expect([...byId.keys()]).toEqual([])
}

/** Every submission's row against submissionIndexOf and the entry it belongs to. */
export async function expectSubmissionsEqual({ sql, chain, logs }: Subject): Promise<void> {
  const keys = logs.submissions.map(({ taskId, worker, deliverable }) => [taskId, worker, deliverable] as const)
  const views = await chain.client.multicall({
    multicallAddress: chain.deployment.multicall3,
    allowFailure: false,
    contracts: keys.map((args) => ({
      abi: taskMarketAbi,
      address: chain.deployment.market,
      functionName: 'submissionIndexOf' as const,
      args,
    })),
  })
  const rows = await sql`
    SELECT s.*, e.rejected FROM market.submission s JOIN market.task_entry e USING (task_id, worker)`
  const found = new Map(rows.map((row) => [keyOf(row.task_id, row.worker, row.deliverable), row]))
  expect(keys.map((key) => found.get(keyOf(...key))?.submission_index)).toEqual(views.map(([, index]) => index))
  expect(views.every(([exists]) => exists)).toBe(true)
  expect(rows).toHaveLength(keys.length)
  expect(rows.filter((row) => (row.rejected_at !== null) !== row.rejected)).toEqual([])
}

function keyOf(taskId: Hex, worker: Address, deliverable: Hex): string {
  return `${taskId} ${lower(worker)} ${deliverable}`
}

function lower(address: Address): string {
  return address.toLowerCase()
}
