/**
 * The sums over all ratings of an agent: the number of rated tasks, and the total of the ratings. Each rating is from 0
 * to 100. See the specification, "Agents and identity".
 */
export interface RatingSums {
  ratedTasks: number
  totalStars: number
}

/**
 * Returns the mean rating, 0..100, or null if there are no ratings. Example: `averageOf({ ratedTasks: 2, totalStars:
 * 150 })` returns `75`.
 */
export function averageOf({ totalStars, ratedTasks }: RatingSums): number | null {
  return ratedTasks === 0 ? null : totalStars / ratedTasks
}

/**
 * Returns the mean of the agent's ratings and of ten added ratings of 50. Agents are ranked by this mean, because a
 * mean of few ratings is not reliable. Example: `shrunkAverageOf({ ratedTasks: 10, totalStars: 900 })` returns `70`.
 */
export function shrunkAverageOf({ totalStars, ratedTasks }: RatingSums): number {
  return (totalStars + 500) / (ratedTasks + 10)
}

/**
 * Returns the share of the real ratings in `shrunkAverageOf`, from 0 to 1000, rounded down. The ten added ratings have
 * the remaining share. Example: `credibilityOf({ ratedTasks: 10, totalStars: 900 })` returns `500`.
 */
export function credibilityOf({ ratedTasks }: RatingSums): number {
  return Math.floor((ratedTasks * 1000) / (ratedTasks + 10))
}
