import type { ChainHead, MinedTransaction } from '../../chain/chain.ts'
import type { AttemptPurpose } from '../transactions/attempts.queries.ts'

/** A mined transaction of an intent. `purpose` is null if only the transaction's hash is stored with the intent. */
export interface MinedAttempt {
  purpose: AttemptPurpose | null
  mined: MinedTransaction
  /** The latest block, read together with the receipt. */
  head?: ChainHead
}
