/** Programs with a `/metrics` endpoint. */
export const measuredPrograms = ['api', 'indexer', 'graphql', 'standby-keeper'] as const
export type MeasuredProgram = (typeof measuredPrograms)[number]

/** One metric and its text in docs/operate/metrics.md. */
export interface Metric {
  type: 'counter' | 'gauge' | 'histogram'
  unit: string
  /** Labels with a description of their values. Values are few, and no caller chooses them. */
  labels?: Readonly<Record<string, string>>
  meaning: string
  /** Response of an operator; absent: none, or the response of its alert. */
  action?: string
  /** Upper bounds of a histogram's buckets, in its unit. */
  buckets?: readonly number[]
  /** Origin of a metric that no instrument of this project records. */
  source?: 'node' | 'ponder'
}

/** Histogram buckets of durations in seconds: from a cached read to the timeout of a write. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
