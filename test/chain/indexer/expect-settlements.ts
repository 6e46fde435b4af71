import { zeroHash } from 'viem'
import { expect } from 'vitest'
import { logsOf, lower, type Subject } from './expectation.ts'

interface Claim {
  task_id: string
  worker: string
  round: number
  stake_amount: string
  status: string
  claimed_at: string
}

/** Every claim against the logs of its start and end. */
export async function expectClaimsEqual({ sql, logs }: Subject): Promise<void> {
  const claims: Claim[] = []
  const present = new Map<string, Claim>()
  for (const log of logs.market) {
    if (!('taskId' in log.args)) continue
    const { taskId } = log.args
    const claim = present.get(taskId)
    if (log.eventName === 'TaskWorkerSelected' && log.args.kind === 0) {
      const next = {
        task_id: taskId,
        worker: lower(log.args.worker),
        round: claim === undefined ? 0 : claim.round + 1,
        stake_amount: String(log.args.stake),
        status: 'active',
        claimed_at: String(log.blockTimestamp),
      }
      claims.push(next)
      present.set(taskId, next)
    }
    if (claim === undefined) continue
    if (log.eventName === 'TaskSubmitted') claim.status = 'submitted'
    if (log.eventName === 'StakeReturned') claim.status = 'returned'
    const isLost = log.eventName === 'TaskReopened' || log.eventName === 'TaskExpired'
    if (isLost && claim.status === 'active') claim.status = 'forfeited'
  }
  const rows = await sql`
    SELECT task_id, worker, round, stake_amount::text, status, claimed_at
    FROM market.claim ORDER BY block_number, log_index`
  expect([...rows]).toEqual(claims)

  // The receiver of a stake is consistent with the end of the claim.
  const moved = (name: 'StakeReturned' | 'StakeForfeited') =>
    logsOf(logs, name).map(({ args }) => `${args.taskId} ${lower(args.worker)} ${args.amount}`)
  const staked = (status: string) =>
    rows
      .filter((row) => row.status === status && row.stake_amount !== '0')
      .map((row) => `${row.task_id} ${row.worker} ${row.stake_amount}`)
  expect(moved('StakeReturned').sort()).toEqual(staked('returned').sort())
  expect(moved('StakeForfeited').sort()).toEqual(staked('forfeited').sort())
}

/** Every award against its log; one of a verdict in a contest has its worker's latest submission. */
export async function expectAwardsEqual({ sql, logs }: Subject): Promise<void> {
  const rows = await sql`
    SELECT task_id, worker, rank, gross_amount::text, worker_payment::text, platform_fee::text, deliverable,
           self_award, settled_at
    FROM market.award ORDER BY block_number, log_index`
  expect([...rows]).toEqual(
    logsOf(logs, 'TaskCompleted').map(({ args, blockTimestamp }) => ({
      task_id: args.taskId,
      worker: lower(args.worker),
      rank: args.rank,
      gross_amount: String(args.grossAmount),
      worker_payment: String(args.workerPayment),
      platform_fee: String(args.platformFee),
      deliverable:
        args.deliverable === zeroHash
          ? logs.submissions.findLast((one) => one.taskId === args.taskId && one.worker === args.worker)?.deliverable
          : args.deliverable,
      self_award: args.selfAward,
      settled_at: String(blockTimestamp),
    })),
  )
}
