import type { ChainHead, MinedTransaction } from '../../chain/chain.ts'
import type { AttemptPurpose } from '../transactions/attempts.queries.ts'

/** A transaction of an intent, mined. `purpose` is null when only its hash is known to be the intent's. */
export interface MinedAttempt {
  purpose: AttemptPurpose | null
  mined: MinedTransaction
  /** The head that was asked for together with the receipt. */
  head?: ChainHead
}
