/** Programs with a `/metrics` of their own. */
export const measuredPrograms = ['api', 'indexer', 'graphql', 'standby-keeper'] as const
export type MeasuredProgram = (typeof measuredPrograms)[number]

/** One metric, as docs/operate/metrics.md describes it. */
export interface Metric {
  type: 'counter' | 'gauge' | 'histogram'
  unit: string
  /** Each label with its values: few, and none that a caller chooses. */
  labels?: Readonly<Record<string, string>>
  meaning: string
  /** Tells what an operator does about it; absent: nothing, or what its alert says. */
  action?: string
  /** Upper bounds of a histogram's buckets, in its unit. */
  buckets?: readonly number[]
  /** Where it comes from, when no instrument of ours records it. */
  source?: 'node' | 'ponder'
}

/** Buckets of times in seconds: from a cached read to the longest that a write may wait. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
