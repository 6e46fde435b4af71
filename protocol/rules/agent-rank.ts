/** Rules for the ranking of agents (interface specification, "Agents, inbox, action queue"). */

/**
 * The ten ratings of 50 with which every agent begins: their sum (`PRIOR_STARS`) and their number (`PRIOR_RATINGS`).
 */
const PRIOR_STARS = 500n
const PRIOR_RATINGS = 10n

/**
 * The factor that scales a mean rating to a whole number without changing the order of two agents. The denominators b
 * and b' of two means are below 2^31 + 10, so different means differ by at least 1 / (b * b'). After scaling by more
 * than (2^31 + 10)^2, two different means differ by more than 1, so they do not round down to the same number. Equal
 * means round down to equal numbers.
 */
export const REPUTATION_SCALE = 10n ** 19n

/**
 * Returns the number that ranks an agent, its scaled mean rating: floor(10^19 * (totalStars + 500) / (ratedTasks +
 * 10)).
 * Example: 500n * 10n ** 18n without ratings; 566_666_666_666_666_666_666n with two ratings that sum to 180.
 */
export function toReputation({ totalStars, ratedTasks }: { totalStars: number; ratedTasks: number }): bigint {
  return ((BigInt(totalStars) + PRIOR_STARS) * REPUTATION_SCALE) / (BigInt(ratedTasks) + PRIOR_RATINGS)
}

/**
 * Returns whether an address is in the ranking: it has at least one award that is not a self-award, or an ERC-8004
 * identity.
 * Example: `isRanked({ completedTasks: 0, agentId: 0n })` is true.
 */
export function isRanked({ completedTasks, agentId }: { completedTasks: number; agentId: bigint | null }): boolean {
  return completedTasks > 0 || agentId !== null
}

/** Number of digits in a searchable part of an agent id. */
export const GRAM_LENGTH = 3

/**
 * Lists the distinct three-digit substrings of an agent id, in order of appearance. The search for a part of an id uses
 * them.
 * Example: `listIdGrams('12312')` is `['123', '231', '312']`.
 */
export function listIdGrams(digits: string): string[] {
  const grams = new Set<string>()
  for (let from = 0; from + GRAM_LENGTH <= digits.length; from += 1) grams.add(digits.slice(from, from + GRAM_LENGTH))
  return [...grams]
}
