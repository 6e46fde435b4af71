import { partOf } from '../../protocol/rules/amounts.ts'

/**
 * The gross amounts of a split, base units, in the order of the shares: floor(reward * share / 10000) each, and what
 * the division leaves over to the first, so that they sum to the reward. Interface, "Other rules" (split).
 * Shares are basis points and must sum to 10000.
 */
export function splitReward(reward: bigint, sharesBps: readonly number[]): bigint[] {
  const floors = sharesBps.map((shareBps) => partOf(reward, shareBps))
  const remainder = reward - floors.reduce((sum, gross) => sum + gross, 0n)
  return floors.map((gross, index) => (index === 0 ? gross + remainder : gross))
}
