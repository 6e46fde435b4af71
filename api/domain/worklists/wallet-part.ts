import type { Address } from 'viem'

/**
 * The activity of a wallet in a task, such as a bid. Activity that the caller may not see is left out. The task itself
 * names its requester, worker, evaluator and resolver, so they are not repeated here.
 */
export interface WalletPart {
  address: Address
  /** The number of the wallet's active submissions. */
  activeSubmissionCount: number
  /** True if the evaluator's verdict awards the wallet. */
  isVerdictAwarded: boolean
  /** True if the wallet placed the lowest bid. */
  isLowestBidder: boolean
}
