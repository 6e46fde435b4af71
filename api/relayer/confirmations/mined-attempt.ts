import type { ChainHead, MinedTransaction } from '../../chain/chain.ts'
import type { AttemptKind } from '../transactions/attempts.queries.ts'

/** A transaction of an intent, mined. `leg` is null when only its hash is known to be the intent's. */
export interface MinedAttempt {
  leg: AttemptKind | null
  mined: MinedTransaction
  /** The head that was asked for together with the receipt. */
  head?: ChainHead
}
