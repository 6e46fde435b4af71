import { verdictPayouts } from './payouts.ts'

/** The terms from which `netRewardOf` computes a task's net reward. Amounts are USDC base units. */
export interface RewardTerms {
  mode: string
  reward: bigint
  /** The payable amount, which is fixed when a worker is assigned; null before an assignment. */
  price: bigint | null
  platformFeeBps: number
  evaluatorFeeBps?: number | null
}

/**
 * Returns the amount that a single winner would get after fees, in USDC base units (interface specification, "Tasks").
 * Null for an auction without a price. In an auction the base is the price, in any other mode the reward. The amount is
 * (base - evaluatorFee) - floor((base - evaluatorFee) * platformFeeBps / 10000).
 *
 * Example: 878_750n for a bounty of 1_000_000n with an evaluator fee of 500 basis points and a platform fee of 750
 * basis points.
 */
export function netRewardOf({ mode, reward, price, platformFeeBps, evaluatorFeeBps }: RewardTerms): bigint | null {
  const base = mode === 'auction' ? price : reward
  if (base === null) return null
  const terms = { base, evaluatorFeeBps: evaluatorFeeBps ?? 0, platformFeeBps }
  return verdictPayouts('approve', [], terms).awards.reduce((sum, { workerPayment }) => sum + workerPayment, 0n)
}
