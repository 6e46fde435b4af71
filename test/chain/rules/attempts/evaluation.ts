import type { Address } from 'viem'
import { zeroHash } from 'viem'
import type { EvaluateArgs } from '../../../../api/domain/actions/evaluate.ts'
import type { ResolveDisputeArgs } from '../../../../api/domain/actions/resolve-dispute.ts'
import type { AwardArgs } from '../../../../api/domain/actions/verdict-awards.ts'
import { partOf } from '../../../../protocol/rules/amounts.ts'
import { isContest } from '../../../../protocol/rules/selectors.ts'
import { type Verdict, verdicts } from '../../../../protocol/rules/verdict.ts'
import { someAwards } from '../verdicts.ts'
import { type Attempts, type Occasion, standingWorkers, withoutArgs } from './attempt.ts'

/** As in the contract's enum. */
const verdictNumbers = { approve: 1, reject: 2, partial: 3 } as const satisfies Record<Verdict, number>

export const evaluate: Attempts<EvaluateArgs> = {
  sensible: (occasion) => {
    const scores = { score: 1000, confidence: 1000 }
    const paying = fullAward(occasion, feeOf(occasion)).flatMap((awards) => [
      { verdict: 'partial' as const, awards },
      { verdict: 'approve' as const, awards },
    ])
    return [{ verdict: 'reject' as const, awards: [] }, ...paying].map((verdict) => ({ ...scores, ...verdict }))
  },
  any: (occasion) => {
    const { random } = occasion
    const verdict = random.pick(verdicts)
    const isBare = random.chance(verdict === 'reject' ? 0.7 : 0.3)
    return {
      verdict,
      score: random.pick([0, 1, 999, 1000, 1001]),
      confidence: random.pick([0, 500, 1000, 1000, 1001]),
      awards: isBare ? [] : someAwards(occasion.task, random, { available: occasion.task.escrow - feeOf(occasion) }),
    }
  },
  call: ({ task }, { verdict, score, confidence, awards }) => [
    'evaluate',
    [task.id, verdictNumbers[verdict], score, confidence, zeroHash, awards],
  ],
}

export const appeal = withoutArgs(({ id }) => ['appeal', [id]])

export const finalizeVerdict = withoutArgs(({ id }) => ['finalizeVerdict', [id]])

export const evaluatorTimeout = withoutArgs(({ id }) => ['evaluatorTimeout', [id]])

export const resolveDispute: Attempts<ResolveDisputeArgs> = {
  sensible: (occasion) => fullAward(occasion, 0n).map((awards) => ({ verdict: 'approve' as const, awards })),
  any: (occasion) => ({
    verdict: occasion.random.pick(['approve', 'partial'] as const),
    awards: someAwards(occasion.task, occasion.random, { available: occasion.task.escrow }),
  }),
  call: ({ task }, { verdict, awards }) => ['resolveDispute', [task.id, verdictNumbers[verdict], awards]],
}

/** The evaluator's fee. */
function feeOf({ task }: Occasion): bigint {
  return partOf(task.escrow, task.evaluatorFeeBps ?? 0)
}

function recipients({ task }: Occasion): Address[] {
  if (isContest(task.mode)) return standingWorkers(task)
  return task.worker === null ? [] : [task.worker]
}

/** One award of the remaining amount, if there is a worker. */
function fullAward(occasion: Occasion, fee: bigint): AwardArgs[][] {
  const [worker] = recipients(occasion)
  return worker === undefined ? [] : [[{ worker, amount: occasion.task.escrow - fee, rank: 1 }]]
}
