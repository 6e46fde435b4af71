import type { Address } from 'viem'

/**
 * The activity of a wallet in a task, such as a bid, as far as the caller may see it. The roles that the task names are
 * not included.
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
