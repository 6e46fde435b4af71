import type { Address, Hex } from 'viem'
import { toVerdictAwardId } from '../../protocol/rules/row-ids.ts'
import { verdictAward } from '../schema/evaluation.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import type { Store } from './store.ts'

export interface DecidedAwards {
  event: PositionedEvent
  decidedBy: 'evaluator' | 'resolver'
  /** As logged: at most 50, each worker once. Amounts are gross base units. */
  awards: readonly { worker: Address; amount: bigint; rank: number }[]
}

/** Writes down whom a verdict or a dispute's resolution awards. A task has one of each at most. */
export async function insertVerdictAwards(store: Store, taskId: Hex, decided: DecidedAwards): Promise<void> {
  const { event, decidedBy, awards } = decided
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
