import type { Address } from 'viem'

/**
 * A wallet's part in a task, apart from the roles that the task itself names. It contains only what the caller may see.
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
