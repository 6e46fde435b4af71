import { zeroAddress, zeroHash } from 'viem'
import type { UpdateArgs } from '../../../../api/domain/actions/update.ts'
import { MAX_DURATION_SECONDS } from '../../../../api/domain/limits.ts'
import { type EvaluationRequest, toEvaluatorTerms } from '../../../../protocol/creation/evaluator-terms.ts'
import { wallets } from '../wallets.ts'
import { type Attempts, type Occasion, withoutArgs } from './attempt.ts'

export const cancel = withoutArgs(({ id }) => ['cancelTask', [id]])

export const refundExpired = withoutArgs(({ id }) => ['refundExpired', [id]])

export const settleStale = withoutArgs(({ id }) => ['settleStale', [id]])

/** Values at, above and below the current terms, and an hour from them; sometimes terms of another mode. */
export const update: Attempts<UpdateArgs> = {
  sensible: () => [{ textsChange: true }],
  any: (occasion) => {
    const { task, random } = occasion
    const sometimes = <T>(probability: number, value: T) => (random.chance(probability) ? value : undefined)
    const { reward } = task
    // The contract has one field for both names, so a clock auction only gets its own.
    const chanceOf = (auctionType: string) =>
      task.auctionType === auctionType ? 0.4 : task.clockPrice === null ? 0.02 : 0
    const price = random.pick([task.clockPrice ?? 1n, 1n, reward, reward + 1n, reward - 1n])
    return {
      reward: sometimes(0.5, random.pick([reward, reward + 1n, reward - 1n, 999n, 1000n, reward * 2n])),
      expiryTime: sometimes(0.5, aTime(occasion, task.expiryTime)),
      pitchDeadline: sometimes(task.mode === 'pitch' ? 0.4 : 0.03, aTime(occasion, task.pitchDeadline)),
      bidDeadline: sometimes(task.mode === 'auction' ? 0.4 : 0.03, aTime(occasion, task.bidDeadline)),
      auctionFloorPrice: sometimes(chanceOf('dutch'), price),
      auctionStartPrice: sometimes(chanceOf('reverse_dutch'), price),
      textsChange: random.chance(0.3),
    }
  },
  call: ({ task, random }, args) => [
    'updateTask',
    [
      {
        taskId: task.id,
        reward: args.reward ?? 0n,
        expiryTime: Number(args.expiryTime ?? 0n),
        pitchDeadline: Number(args.pitchDeadline ?? 0n),
        bidDeadline: Number(args.bidDeadline ?? 0n),
        clockPrice: args.auctionFloorPrice ?? args.auctionStartPrice ?? 0n,
        contentHash: args.textsChange ? random.word() : zeroHash,
      },
    ],
  ],
}

/** Evaluators and resolvers, some of them the same account; fees and windows at their bounds. */
export const assignEvaluator: Attempts<EvaluationRequest> = {
  sensible: ({ task }) => [
    { evaluatorFeeBps: 0, evaluator: wallets.find((wallet) => wallet !== task.requester) ?? zeroAddress },
  ],
  any: ({ task, random }) => ({
    evaluator: random.pick(wallets),
    disputeResolver: random.pick([null, ...wallets]) ?? undefined,
    evaluatorFeeBps: random.pick([0, 9250, 10_000 - task.platformFeeBps, 10_001 - task.platformFeeBps]),
    evaluationWindowHours: random.pick([1n, 3600n, MAX_DURATION_SECONDS]),
    appealWindowHours: random.pick([299n, 300n, MAX_DURATION_SECONDS]),
  }),
  call: ({ task }, terms) => ['assignEvaluator', [task.id, toEvaluatorTerms(terms)]],
}

function aTime({ task, now, random }: Occasion, present: bigint | null): bigint {
  const edge = random.pick([
    present ?? task.expiryTime,
    present ?? now,
    task.expiryTime,
    now,
    now + MAX_DURATION_SECONDS,
  ])
  const time = edge + random.pick([-1n, 0n, 1n])
  return random.chance(0.3) ? now + 10n + BigInt(random.below(5000)) : time
}
