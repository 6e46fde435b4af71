/** How an agent is ranked. Interface, "Agents, inbox, action queue". */

/** Ratings that every agent begins with: ten of 50 stars. */
const PRIOR_STARS = 500n
const PRIOR_RATINGS = 10n

/**
 * The factor that makes a mean rating whole. Two different means differ by at least 1 / (b * b') for their denominators
 * b and b', which are below 2^31 + 10: scaled by more than (2^31 + 10)^2 they differ by more than 1, and so do not round
 * down to the same number. Equal means round to equal numbers. Hence the scaled mean orders as the fraction does.
 */
export const REPUTATION_SCALE = 10n ** 19n

/** What an agent is ranked by: floor(10^19 * (totalStars + 500) / (ratedTasks + 10)). */
export function toReputation({ totalStars, ratedTasks }: { totalStars: number; ratedTasks: number }): bigint {
  return ((BigInt(totalStars) + PRIOR_STARS) * REPUTATION_SCALE) / (BigInt(ratedTasks) + PRIOR_RATINGS)
}

/** Whether an address is of the population: it has an award, self-awards aside, or an ERC-8004 identity. */
export function isRanked({ completedTasks, agentId }: { completedTasks: number; agentId: bigint | null }): boolean {
  return completedTasks > 0 || agentId !== null
}

/** Digits of the shortest part of an agent id that is searched for. */
export const GRAM_LENGTH = 3

/** The distinct parts of three digits of an agent id, in order of appearance: what a part of it is found by. */
export function listIdGrams(digits: string): string[] {
  const grams = new Set<string>()
  for (let from = 0; from + GRAM_LENGTH <= digits.length; from += 1) grams.add(digits.slice(from, from + GRAM_LENGTH))
  return [...grams]
}
