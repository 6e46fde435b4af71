import type postgres from 'postgres'
import { type Address, concatHex, keccak256, zeroAddress, zeroHash } from 'viem'
import { expect } from 'vitest'
import {
  auctionTypes,
  isContest,
  taskModes,
  toAuctionSelector,
  toModeSelector,
} from '../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { logsOf, lower, orZero, type Subject } from './expectation.ts'
import { readMarket, type TaskView } from './task-states.ts'

/** Every task's row, field by field, against getTask; and no row without a task on chain. */
export async function expectTasksEqual(subject: Subject): Promise<void> {
  const { sql, chain, logs } = subject
  const ids = logs.tasks.map(({ id }) => [id] as const)
  const [views, rounds] = await Promise.all([readMarket(chain, 'getTask', ids), readMarket(chain, 'roundOf', ids)])
  const rows = await sql`SELECT * FROM market.task ORDER BY created_at_ms`
  expect(rows.map((row) => [row.id])).toEqual(ids)
  expect(rows.map(viewOfRow)).toEqual(views.map(comparable))
  expect(rows.map((row) => row.claim_round)).toEqual(rounds)
  // In contests the contract assigns no worker; the rows have the worker with rank 1 of the last decision.
  const contests = rows.filter((row) => isContestRow(row))
  expect(contests.map((row) => [row.id, row.worker, row.worker_assigned_at])).toEqual(
    contests.map((row) => [row.id, ...lastDecision(subject, row.id)]),
  )
}

function comparable(view: TaskView) {
  return { ...view, requester: lower(view.requester), worker: lower(view.worker) }
}

/** The expected result of getTask, computed from a row. */
function viewOfRow(row: postgres.Row): ReturnType<typeof comparable> {
  const mode = taskModes.find((name) => name === row.mode) ?? expect.fail(`mode ${row.mode}`)
  const auctionType = auctionTypes.find((name) => name === row.auction_type)
  expect(auctionType ?? null).toBe(row.auction_type)
  return {
    requester: row.requester,
    mode: toModeSelector(mode),
    auctionType: auctionType === undefined ? '0x00000000' : toAuctionSelector(auctionType),
    status: taskStatuses.indexOf(row.status) + 1,
    reward: BigInt(row.reward),
    escrow: BigInt(row.escrow),
    feeBps: row.platform_fee_bps,
    stakeBps: row.stake_bps,
    createdAt: Number(row.created_at),
    expiryTime: Number(row.expiry_time),
    pitchDeadline: Number(row.pitch_deadline ?? 0),
    bidDeadline: Number(row.bid_deadline ?? 0),
    clockPrice: orZero(row.clock_price),
    contentHash: row.content_hash,
    tagsHash: row.tag_hashes.length === 0 ? zeroHash : keccak256(concatHex(row.tag_hashes)),
    worker: isContestRow(row) ? zeroAddress : (row.worker ?? zeroAddress),
    price: orZero(row.price),
    stake: BigInt(row.stake),
    deliverable: row.deliverable ?? zeroHash,
    submissionCount: row.submission_count,
    activeSubmissions: row.active_submission_count,
    pitchCount: row.pitch_count,
    bidCount: row.bid_count,
    proofCount: row.proof_count,
    awardCount: row.award_count,
    round: row.claim_round,
    objected: row.objected,
    hasEvaluator: row.evaluator !== null,
    hookSet: row.hook_set ?? zeroHash,
  }
}

function isContestRow(row: postgres.Row): boolean {
  return isContest(row.mode)
}

/** Worker and time of the rank-1 award of the last verdict or resolution of a task. */
function lastDecision({ logs }: Subject, taskId: string): [worker: string | null, at: string | null] {
  const decision = logsOf(logs, 'VerdictIssued', 'DisputeResolved').findLast(({ args }) => args.taskId === taskId)
  const first: { worker: Address } | undefined = decision?.args.awards.find(({ rank }) => rank === 1)
  return first === undefined ? [null, null] : [lower(first.worker), String(decision?.blockTimestamp)]
}
