import type { Address, Hex } from 'viem'
import { toVerdictAwardId } from '../../protocol/rules/row-ids.ts'
import { verdictAward } from '../schema/evaluation.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import type { Store } from './store.ts'

export interface DecidedAwards {
  event: PositionedEvent
  decidedBy: 'evaluator' | 'resolver'
  /** Awards in the order of the event: at most 50, at most one per worker. Amounts are gross, in USDC base units. */
  awards: readonly { worker: Address; amount: bigint; rank: number }[]
}

/** Stores the awards of a verdict or of a dispute's resolution. A task has at most one verdict and one resolution. */
export async function insertVerdictAwards(store: Store, taskId: Hex, decision: DecidedAwards): Promise<void> {
  const { event, decidedBy, awards } = decision
  if (awards.length === 0) return
  await store.insert(verdictAward).values(
    awards.map(({ worker, amount, rank }, awardIndex) => ({
      id: toVerdictAwardId(taskId, { decidedBy, worker }),
      taskId,
      decidedBy,
      worker,
      amount,
      rank,
      awardIndex,
      ...positionOf(event),
    })),
  )
}
