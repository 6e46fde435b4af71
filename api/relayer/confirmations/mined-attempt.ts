import type { ChainHead, MinedTransaction } from '../../chain/chain.ts'
import type { AttemptPurpose } from '../transactions/attempts.queries.ts'

/** A mined transaction of an intent. `purpose` is null when only its hash is known to be the intent's. */
export interface MinedAttempt {
  purpose: AttemptPurpose | null
  mined: MinedTransaction
  /** The head that was read together with the receipt. */
  head?: ChainHead
}
