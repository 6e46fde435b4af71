import type { Address } from 'viem'

/**
 * The activity of a wallet in a task, such as a bid, as far as the caller may see the activity. Whether the wallet is
 * the task's requester, worker, evaluator or resolver is not included.
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
