import type { Address } from 'viem'

/** What a wallet is to a task besides the roles that the task names, as far as the caller may know it. */
export interface WalletPart {
  address: Address
  /** Its submissions that stand. */
  activeSubmissionCount: number
  /** The evaluator's verdict awards it. */
  isVerdictAwarded: boolean
  /** It placed the lowest bid. */
  isLowestBidder: boolean
}
