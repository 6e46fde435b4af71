/** The programs that have a `/metrics` endpoint. */
export const measuredPrograms = ['api', 'indexer', 'graphql', 'standby-keeper'] as const
export type MeasuredProgram = (typeof measuredPrograms)[number]

/** One metric, with its description in docs/operate/metrics.md. */
export interface Metric {
  type: 'counter' | 'gauge' | 'histogram'
  unit: string
  /** The labels, each with a description of its values. A label has few values, and no caller can choose them. */
  labels?: Readonly<Record<string, string>>
  meaning: string
  /**
   * The operator's response to unusual values. Absent if there is nothing to do, or if the metric's alert describes it.
   */
  action?: string
  /** The upper bounds of a histogram's buckets, in the metric's unit. */
  buckets?: readonly number[]
  /** The library that records the metric; absent if this project's own code records it. */
  source?: 'node' | 'ponder'
}

/** The bucket bounds of histograms of durations, seconds. They range from a cached read to the timeout of a write. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
