import {
  type BonusBounds,
  type BonusRamp,
  type BonusTerms,
  lockedRateOf,
  multiplierOf,
} from '../../../src/rules/bonus.ts'
import { isContest } from '../../../src/rules/selectors.ts'
import { isTerminal } from '../../../src/rules/task-status.ts'
import { type BonusEstimate, effectiveBonus, estimateBonus, noEstimate } from '../../domain/bonus-estimate.ts'
import { clockOf, clockPriceAt } from '../../domain/clock-price.ts'
import { verdictPayouts } from '../../domain/verdict-payouts.ts'
import { toAddress, toAmount, toAmountOrNull } from '../../http/response-schemas.ts'
import type { BonusCreditRow, TaskBonusRow } from '../../read-model/bonus.queries.ts'
import type { TaskRow } from './task-row.ts'
import type { TaskDetail } from './tasks.schemas.ts'

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
 * The bonus fields of a task. Spec, "Task detail"; Interface, "Token bonus".
 * @param row null: the task earns no bonus
 * @param now Unix seconds of the chain's head
 */
export function toBonusFields(
  task: TaskRow,
  { row, credits, now }: { row: TaskBonusRow | null; credits: readonly BonusCreditRow[]; now: bigint },
): BonusFields {
  const estimate = row === null ? noEstimate : estimateOf(task, row, now)
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
      ...(row === null ? nothingNow : bonusNow(task, row, now)),
      credits: credits.map(toCredit),
    },
  }
}

/** From the terms in force until a worker is assigned, from the locked ones after; of an ended task from those used. */
function estimateOf(task: TaskRow, row: TaskBonusRow, now: bigint): BonusEstimate {
  // A requester’s award to itself earns nothing.
  if (isTerminal(task.status) ? !row.hadValue : task.worker === task.requester) return noEstimate
  const common = { bounds: boundsOf(row), feeBps: task.platformFeeBps }
  const completion = completionTermsOf(row)
  if (isContest(task.mode)) return estimateBonus(task.reward, { ...common, terms: completion ?? row })
  if (!isAssigned(task)) return estimateBonus(openPriceOf(task, now), { ...common, terms: row })
  // An assignment that the programme could not record earns nothing.
  const lock = lockOf(row)
  if (lock === null) return noEstimate
  const tokenPerUsdc =
    completion === null
      ? lock.tokenPerUsdc
      : (row.creditTokenPerUsdc ?? lockedRateOf(lock, { terms: completion, bounds: common.bounds }))
  return estimateBonus(lock.price, { ...common, terms: { ...lock, tokenPerUsdc } })
}

function isAssigned({ worker, primaryWorker }: TaskRow): boolean {
  return (worker ?? primaryWorker) !== null
}

/** An open clock costs its price now; other auctions cost at most their reward. */
function openPriceOf(task: TaskRow, now: bigint): bigint {
  const clock = task.status === 'open' ? clockOf(task) : null
  return clock === null ? task.reward : clockPriceAt(clock, now)
}

function lockOf(row: TaskBonusRow): (BonusTerms & { price: bigint }) | null {
  const { lockPrice: price, lockTokenPerUsdc: tokenPerUsdc } = row
  const { lockBonusBps: bonusBps, lockWorkerSplitBps: workerSplitBps } = row
  if (price === null || tokenPerUsdc === null || bonusBps === null || workerSplitBps === null) return null
  return { price, tokenPerUsdc, bonusBps, workerSplitBps }
}

function completionTermsOf(row: TaskBonusRow): BonusTerms | null {
  const { completionTokenPerUsdc: tokenPerUsdc, completionBonusBps: bonusBps } = row
  const { completionWorkerSplitBps: workerSplitBps } = row
  if (tokenPerUsdc === null || bonusBps === null || workerSplitBps === null) return null
  return { tokenPerUsdc, bonusBps, workerSplitBps }
}

function boundsOf({ maxBonusPerFeeBps, maxRateDriftBps }: TaskBonusRow): BonusBounds {
  return { maxBonusPerFeeBps: Number(maxBonusPerFeeBps), maxRateDriftBps: Number(maxRateDriftBps) }
}

function rampOf({ rampAfterSeconds: [second, third, fourth], rampMultiplierBps }: TaskBonusRow): BonusRamp {
  return { afterSeconds: [Number(second), Number(third), Number(fourth)], multiplierBps: rampMultiplierBps }
}

const nothingNow = {
  workerMultiplierBps: null,
  requesterMultiplierBps: null,
  effectiveWorkerToken: null,
  effectiveRequesterToken: null,
}

/** What a completion now would credit; nothing of a task that has no worker or has ended. */
function bonusNow(task: TaskRow, row: TaskBonusRow, now: bigint): Omit<TaskDetail['bonus'], 'locked' | 'credits'> {
  if (task.worker === null || task.price === null || isTerminal(task.status)) return nothingNow
  const ramp = rampOf(row)
  const epoch = Number((now - row.startedAt) / row.epochSeconds)
  const isEpochOfTotals = row.newestEpoch === epoch
  const [award] = verdictPayouts('approve', [], {
    base: task.price,
    evaluatorFeeBps: task.evaluatorFeeBps ?? 0,
    platformFeeBps: task.platformFeeBps,
  }).awards
  const effective = effectiveBonus(
    {
      feeBps: task.platformFeeBps,
      isContest: false,
      terms: row,
      bounds: boundsOf(row),
      caps: {
        globalUsd: row.globalUsdCap,
        workerUsd: row.workerUsdCap,
        requesterUsd: row.requesterUsdCap,
        taskUsd: row.taskUsdCap,
        globalTokens: row.globalTokenCap,
      },
      ramp,
      lock: lockOf(row),
      time: now,
      epoch,
      usdOfEpoch: (isEpochOfTotals ? row.newestEpochUsd : null) ?? 0n,
      tokensOfEpoch: (isEpochOfTotals ? row.newestEpochTokens : null) ?? 0n,
      reserve: row.reserve,
    },
    {
      gross: award?.gross ?? 0n,
      worker: {
        address: task.worker,
        firstSeen: row.workerFirstSeen,
        epoch: row.workerEpoch ?? epoch,
        usd: row.workerUsd ?? 0n,
      },
      requester: {
        address: task.requester,
        firstSeen: row.requesterFirstSeen,
        epoch: row.requesterEpoch ?? epoch,
        usd: row.requesterUsd ?? 0n,
      },
    },
  )
  return {
    workerMultiplierBps: multiplierOf(ramp, now - (row.workerFirstSeen ?? now)),
    requesterMultiplierBps: multiplierOf(ramp, now - (row.requesterFirstSeen ?? now)),
    effectiveWorkerToken: toAmountOrNull(effective.worker),
    effectiveRequesterToken: toAmountOrNull(effective.requester),
  }
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
