/** A bound that a figure should keep. */
export type Goal = { most: number } | { least: number }

/** One measured value, as docs/internals/benchmarks/figures.json keeps it. */
export interface Figure {
  /** A noun phrase with its unit, unique in its benchmark. Example: `paid write less bare transaction, mined at once, ms`. */
  name: string
  median: number
  /** The interval that holds the median in 95 of 100 resamples; absent where the figure is one number. */
  low?: number
  high?: number
  goal?: Goal
}

/** Returns true if a figure meets its goal; null: it has none. */
export function isMet({ median, goal }: Figure): boolean | null {
  if (goal === undefined) return null
  return 'most' in goal ? median <= goal.most : median >= goal.least
}
