import { verdictPayouts } from '../../../../protocol/payouts.ts'
import { multiplierOf } from '../../../../protocol/rules/bonus.ts'
import { isContest } from '../../../../protocol/rules/selectors.ts'
import { isTerminal } from '../../../../protocol/rules/task-status.ts'
import { type EffectiveAward, effectiveBonus } from '../../../domain/bonus-estimate.ts'
import { toAmountOrNull } from '../../../http/response-schemas.ts'
import type { BonusAwardRow, TaskBonusRow } from '../../../read-model/bonus.queries.ts'
import type { TaskRow } from '../task-row.ts'
import type { TaskDetail } from '../tasks.schemas.ts'
import { boundsOf, lockOf, rampOf } from './task-bonus-row.ts'

type BonusNow = Omit<TaskDetail['bonus'], 'locked' | 'credits'>

export const nothingNow = {
  workerMultiplierBps: null,
  requesterMultiplierBps: null,
  effectiveWorkerToken: null,
  effectiveRequesterToken: null,
}

/**
 * Returns the bonus that would be credited if the task were completed now. All fields are null if the task has no
 * worker, has ended, or is a disputed contest.
 * @param awards the awards of the evaluator's verdict. They are used only while the verdict can be appealed. At all
 * other times, the function assumes that the work is approved.
 */
export function bonusNow(
  task: TaskRow,
  row: TaskBonusRow,
  { awards, now }: { awards: readonly BonusAwardRow[]; now: bigint },
): BonusNow {
  if (task.worker === null || isTerminal(task.status)) return nothingNow
  const hasVerdict = task.status === 'appealing'
  if (task.price === null && !hasVerdict) return nothingNow
  const ramp = rampOf(row)
  const epoch = Number((now - row.startedAt) / row.epochSeconds)
  const isEpochOfTotals = row.newestEpoch === epoch
  const bonus = effectiveBonus(
    {
      feeBps: task.platformFeeBps,
      isContest: isContest(task.mode),
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
      awards: hasVerdict ? awards.map((award) => awardOf(award, epoch)) : [acceptanceOf(task, row, epoch)],
      worker: task.worker,
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
    effectiveWorkerToken: toAmountOrNull(bonus.worker),
    effectiveRequesterToken: toAmountOrNull(bonus.requester),
  }
}

/** Converts an award of the verdict into the form that the computation of the bonus takes. */
function awardOf({ worker: address, rank, amount: grossAmount, firstSeen, ...sums }: BonusAwardRow, epoch: number) {
  return {
    gross: grossAmount,
    rank,
    worker: { address, firstSeen, epoch: sums.epoch ?? epoch, usd: sums.workerUsd ?? 0n },
  }
}

/** Returns the award that an approval would pay to the assigned worker: the price minus the evaluator's fee. */
function acceptanceOf(task: TaskRow, row: TaskBonusRow, epoch: number): EffectiveAward {
  const [award] = verdictPayouts('approve', [], {
    base: task.price ?? 0n,
    evaluatorFeeBps: task.evaluatorFeeBps ?? 0,
    platformFeeBps: task.platformFeeBps,
  }).awards
  const { workerFirstSeen: firstSeen, workerEpoch, workerUsd } = row
  const worker = { address: task.worker ?? '', firstSeen, epoch: workerEpoch ?? epoch, usd: workerUsd ?? 0n }
  return { gross: award?.gross ?? 0n, rank: 1, worker }
}
