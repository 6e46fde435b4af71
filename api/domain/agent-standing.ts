/** The sums of an agent's ratings. Spec, "Agents and identity". */
export interface RatingSums {
  ratedTasks: number
  totalStars: number
}

/**
 * Returns the mean rating, 0..100, or null without ratings. Example: `averageOf({ ratedTasks: 2, totalStars: 150 })`
 * returns `75`.
 */
export function averageOf({ totalStars, ratedTasks }: RatingSums): number | null {
  return ratedTasks === 0 ? null : totalStars / ratedTasks
}

/**
 * Returns the mean after adding ten ratings of 50; agents are ranked by it. Example: `shrunkAverageOf({ ratedTasks: 10,
 * totalStars: 900 })` returns `70`.
 */
export function shrunkAverageOf({ totalStars, ratedTasks }: RatingSums): number {
  return (totalStars + 500) / (ratedTasks + 10)
}

/**
 * Returns the weight of the agent's ratings in the shrunk mean, 0..1000, in whole numbers so that no rounding lowers
 * it. Example: `credibilityOf({ ratedTasks: 10, totalStars: 900 })` returns `500`.
 */
export function credibilityOf({ ratedTasks }: RatingSums): number {
  return Math.floor((ratedTasks * 1000) / (ratedTasks + 10))
}
