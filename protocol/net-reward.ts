import { verdictPayouts } from './payouts.ts'

/** The terms from which a task's net reward follows. Amounts in base units. */
export interface RewardTerms {
  mode: string
  reward: bigint
  /** Payable amount once a worker is assigned; null before. */
  price: bigint | null
  platformFeeBps: number
  evaluatorFeeBps?: number | null
}

/**
 * Returns what a single winner would get after fees, base units; null for an auction whose price is not known yet. Interface,
 * "Tasks": (base - evaluatorFee) - floor((base - evaluatorFee) * platformFeeBps / 10000).
 *
 * Example: a bounty of 1_000_000n with an evaluator fee of 500 and a platform fee of 750 basis points has 878_750n.
 */
export function netRewardOf({ mode, reward, price, platformFeeBps, evaluatorFeeBps }: RewardTerms): bigint | null {
  const base = mode === 'auction' ? price : reward
  if (base === null) return null
  const terms = { base, evaluatorFeeBps: evaluatorFeeBps ?? 0, platformFeeBps }
  return verdictPayouts('approve', [], terms).awards.reduce((sum, { workerPayment }) => sum + workerPayment, 0n)
}
