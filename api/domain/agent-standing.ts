/**
 * The sums over all ratings of an agent: how many tasks were rated, and the total of their ratings (0..100 each). See
 * the specification, "Agents and identity".
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
 * Returns the mean rating after adding ten ratings of 50. Agents are ranked by this mean, so that few ratings count
 * less. Example: `shrunkAverageOf({ ratedTasks: 10, totalStars: 900 })` returns `70`.
 */
export function shrunkAverageOf({ totalStars, ratedTasks }: RatingSums): number {
  return (totalStars + 500) / (ratedTasks + 10)
}

/**
 * Returns the weight of the agent's real ratings in `shrunkAverageOf`, 0..1000, rounded down to a whole number. The ten
 * added ratings have the remaining weight. Example: `credibilityOf({ ratedTasks: 10, totalStars: 900 })` returns `500`.
 */
export function credibilityOf({ ratedTasks }: RatingSums): number {
  return Math.floor((ratedTasks * 1000) / (ratedTasks + 10))
}
