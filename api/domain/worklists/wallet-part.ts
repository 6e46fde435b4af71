import type { Address } from 'viem'

/** The part of a wallet in a task besides the roles that the task names, as far as the caller may see it. */
export interface WalletPart {
  address: Address
  /** The number of its active submissions. */
  activeSubmissionCount: number
  /** True if the evaluator's verdict awards it. */
  isVerdictAwarded: boolean
  /** True if it placed the lowest bid. */
  isLowestBidder: boolean
}
