import { clockOf, clockPriceAt } from '../../../../protocol/clock-price.ts'
import { lockedRateOf } from '../../../../protocol/rules/bonus.ts'
import { isContest } from '../../../../protocol/rules/selectors.ts'
import { isTerminal } from '../../../../protocol/rules/task-status.ts'
import { type BonusEstimate, estimateBonus, noEstimate } from '../../../domain/bonus-estimate.ts'
import { toAddress, toAmount } from '../../../http/response-schemas.ts'
import type { BonusAwardRow, BonusCreditRow, TaskBonusRow } from '../../../read-model/bonus.queries.ts'
import type { TaskRow } from '../task-row.ts'
import type { TaskDetail } from '../tasks.schemas.ts'
import { bonusNow, nothingNow } from './task-bonus-now.ts'
import { boundsOf, completionOf, lockOf } from './task-bonus-row.ts'

export type BonusFields = Pick<
  TaskDetail,
  | 'tokenPerUsdc'
  | 'bonusBps'
  | 'estimatedUsdBonusValue'
  | 'estimatedWorkerUsdBonusValue'
  | 'estimatedRequesterUsdBonusValue'
  | 'estimatedWorkerTokenBonus'
  | 'estimatedRequesterTokenBonus'
  | 'bonus'
>

/**
 * Returns the fields of a task about its token bonus. See the specification, "Task detail", and the interface
 * specification, "Token bonus".
 * @param row null if the task earns no bonus
 * @param awards the awards of the evaluator's verdict
 * @param now the time of the latest block, in Unix seconds
 */
export function toBonusFields(
  task: TaskRow,
  {
    row,
    awards,
    credits,
    now,
  }: {
    row: TaskBonusRow | null
    awards: readonly BonusAwardRow[]
    credits: readonly BonusCreditRow[]
    now: bigint
  },
): BonusFields {
  const estimate = row === null ? noEstimate : estimateOf(task, row, { awards, now })
  return {
    tokenPerUsdc: toAmount(estimate.tokenPerUsdc),
    bonusBps: estimate.bonusBps,
    estimatedUsdBonusValue: toAmount(estimate.usd),
    estimatedWorkerUsdBonusValue: toAmount(estimate.workerUsd),
    estimatedRequesterUsdBonusValue: toAmount(estimate.requesterUsd),
    estimatedWorkerTokenBonus: toAmount(estimate.workerTokens),
    estimatedRequesterTokenBonus: toAmount(estimate.requesterTokens),
    bonus: {
      locked: row !== null && lockOf(row) !== null,
      ...(row === null ? nothingNow : bonusNow(task, row, { awards, now })),
      credits: credits.map(toCredit),
    },
  }
}

/**
 * Returns the estimated bonus. Before a worker is assigned, the estimate uses the present terms. After that, it uses
 * the locked terms. For an ended task, it uses the terms of the completion.
 */
function estimateOf(
  task: TaskRow,
  row: TaskBonusRow,
  { awards, now }: { awards: readonly BonusAwardRow[]; now: bigint },
): BonusEstimate {
  if (isTerminal(task.status) ? !row.hadValue : isForItself(task, awards)) return noEstimate
  const completion = completionOf(row)
  const commonTerms = { bounds: completion?.bounds ?? boundsOf(row), feeBps: task.platformFeeBps }
  if (isContest(task.mode)) return estimateBonus(task.reward, { ...commonTerms, terms: completion?.terms ?? row })
  if (!isAssigned(task)) return estimateBonus(openPriceOf(task, now), { ...commonTerms, terms: row })
  // An assignment that the programme could not record earns nothing.
  const lock = lockOf(row)
  if (lock === null) return noEstimate
  const tokenPerUsdc =
    completion === null ? lock.tokenPerUsdc : (row.creditTokenPerUsdc ?? lockedRateOf(lock, completion))
  return estimateBonus(lock.price, { ...commonTerms, terms: { ...lock, tokenPerUsdc } })
}

/** Returns true if the requester is the only assigned or awarded worker. Such a task earns no bonus. */
function isForItself({ mode, worker, requester }: TaskRow, awards: readonly BonusAwardRow[]): boolean {
  const workers = isContest(mode) ? awards.map((award) => award.worker) : [worker]
  return workers.length > 0 && workers.every((address) => address === requester)
}

function isAssigned({ worker, primaryWorker }: TaskRow): boolean {
  return (worker ?? primaryWorker) !== null
}

/**
 * Returns the price for the estimated bonus of an open task. In a dutch or reverse dutch auction, it is the present
 * clock price. In all other tasks, it is the reward.
 */
function openPriceOf(task: TaskRow, now: bigint): bigint {
  const clock = task.status === 'open' ? clockOf(task) : null
  return clock === null ? task.reward : clockPriceAt(clock, now)
}

function toCredit(row: BonusCreditRow): TaskDetail['bonus']['credits'][number] {
  return {
    account: toAddress(row.account),
    role: row.role,
    rank: row.rank,
    usd: toAmount(row.usdCredited),
    tokens: toAmount(row.credited),
    multiplierBps: row.multiplierBps,
  }
}
