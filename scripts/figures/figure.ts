/** The bound that a figure should not exceed (`most`), or that it should reach (`least`). */
export type Goal = { most: number } | { least: number }

/** One measured value, in the form in which docs/internals/benchmarks/figures.json stores it. */
export interface Figure {
  /**
   * Name of the value: a noun phrase with the unit, unique in its benchmark. Example: `paid write less bare
   * transaction, mined at once, ms`.
   */
  name: string
  median: number
  /**
   * Lower end of the interval that contains the median in 95 of 100 resamples. Absent if the value was measured once.
   */
  low?: number
  high?: number
  goal?: Goal
}

/** Returns true if a figure meets its goal; null if it has no goal. */
export function isMet({ median, goal }: Figure): boolean | null {
  if (goal === undefined) return null
  return 'most' in goal ? median <= goal.most : median >= goal.least
}
