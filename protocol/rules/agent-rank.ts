/** Rules for the ranking of agents (interface specification, "Agents, inbox, action queue"). */

/**
 * Ten assumed ratings of 50 that every agent begins with. `PRIOR_STARS`: the sum of the ratings. `PRIOR_RATINGS`: the
 * number of ratings.
 */
const PRIOR_STARS = 500n
const PRIOR_RATINGS = 10n

/**
 * The factor that converts a mean rating to a whole number. The factor is large enough to keep the order of any two
 * agents.
 */
// Two means have denominators b and b' below 2^31 + 10. Different means therefore differ by at least 1 / (b * b').
// After scaling by more than (2^31 + 10)^2 they differ by more than 1, and round down to different numbers.
export const REPUTATION_SCALE = 10n ** 19n

/**
 * Returns the mean rating as a whole number, by which agents are ranked: floor(10^19 * (totalStars + 500) / (ratedTasks
 * + 10)).
 * Example: 500n * 10n ** 18n without ratings; 566_666_666_666_666_666_666n with two ratings that sum to 180.
 */
export function toReputation({ totalStars, ratedTasks }: { totalStars: number; ratedTasks: number }): bigint {
  return ((BigInt(totalStars) + PRIOR_STARS) * REPUTATION_SCALE) / (BigInt(ratedTasks) + PRIOR_RATINGS)
}

/**
 * Returns true if an address is in the ranking. An address is in the ranking if the address has an ERC-8004 identity as
 * its agent, or has received at least one award. An award of a requester to itself (a self-award) does not count.
 * Example: `isRanked({ completedTasks: 0, agentId: 0n })` is true.
 */
export function isRanked({ completedTasks, agentId }: { completedTasks: number; agentId: bigint | null }): boolean {
  return completedTasks > 0 || agentId !== null
}

/** Number of digits in a searchable part of an agent id. */
export const GRAM_LENGTH = 3

/**
 * Lists the distinct three-digit parts of an agent id, in order of appearance. Used for the search by a part of an id.
 * Example: `listIdGrams('12312')` is `['123', '231', '312']`.
 */
export function listIdGrams(digits: string): string[] {
  const grams = new Set<string>()
  for (let from = 0; from + GRAM_LENGTH <= digits.length; from += 1) grams.add(digits.slice(from, from + GRAM_LENGTH))
  return [...grams]
}
