/** The rank of an agent. Interface, "Agents, inbox, action queue". */

/** Ratings with which every agent begins: ten of 50 stars. */
const PRIOR_STARS = 500n
const PRIOR_RATINGS = 10n

/**
 * The factor that makes a mean rating whole. Two different means differ by at least 1 / (b * b') for their denominators b and b',
 * which are below 2^31 + 10: scaled by more than (2^31 + 10)^2 they differ by more than 1, and so do not round down to the same
 * number. Equal means round to equal numbers. So the scaled mean orders as the fraction does.
 */
export const REPUTATION_SCALE = 10n ** 19n

/**
 * Returns the number by which an agent is ranked: floor(10^19 * (totalStars + 500) / (ratedTasks + 10)).
 * Example: 500n * 10n ** 18n without ratings; 566_666_666_666_666_666_666n with 180 stars in 2 ratings.
 */
export function toReputation({ totalStars, ratedTasks }: { totalStars: number; ratedTasks: number }): bigint {
  return ((BigInt(totalStars) + PRIOR_STARS) * REPUTATION_SCALE) / (BigInt(ratedTasks) + PRIOR_RATINGS)
}

/**
 * Returns whether an address belongs to the ranking: it has an award, self-awards aside, or an ERC-8004 identity.
 * Example: `isRanked({ completedTasks: 0, agentId: 0n })` is true.
 */
export function isRanked({ completedTasks, agentId }: { completedTasks: number; agentId: bigint | null }): boolean {
  return completedTasks > 0 || agentId !== null
}

/** Digits of the shortest searchable part of an agent id. */
export const GRAM_LENGTH = 3

/**
 * Lists the distinct parts of three digits of an agent id, in order of appearance. A search by a part of the id uses them.
 * Example: `listIdGrams('12312')` is `['123', '231', '312']`.
 */
export function listIdGrams(digits: string): string[] {
  const grams = new Set<string>()
  for (let from = 0; from + GRAM_LENGTH <= digits.length; from += 1) grams.add(digits.slice(from, from + GRAM_LENGTH))
  return [...grams]
}
