/** What the ratings of an agent are worth. Spec, "Agents and identity". */
export interface RatingSums {
  ratedTasks: number
  totalStars: number
}

/** The raw mean, 0..100; null: never rated. */
export function averageOf({ totalStars, ratedTasks }: RatingSums): number | null {
  return ratedTasks === 0 ? null : totalStars / ratedTasks
}

/** The mean with ten ratings of 50 added: what agents are ranked by. */
export function shrunkAverageOf({ totalStars, ratedTasks }: RatingSums): number {
  return (totalStars + 500) / (ratedTasks + 10)
}

/** How much of the mean is the agent's own, 0..1000; whole numbers, so that no rounding lowers it. */
export function credibilityOf({ ratedTasks }: RatingSums): number {
  return Math.floor((ratedTasks * 1000) / (ratedTasks + 10))
}
