import type { MinedTransaction } from '../../chain/chain.ts'
import type { AttemptLeg } from '../transactions/attempts.queries.ts'

/** A transaction of an intent, mined. `leg` is null when only its hash is known to be the intent's. */
export interface MinedAttempt {
  leg: AttemptLeg | null
  mined: MinedTransaction
}
