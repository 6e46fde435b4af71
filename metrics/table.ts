import type { MeasuredProgram, Metric } from './metric.ts'
import { graphqlMetrics, indexerMetrics, keeperMetrics, processMetrics } from './process-metrics.ts'
import { serviceMetrics } from './service-metrics.ts'
import { upkeepMetrics } from './upkeep-metrics.ts'

/** All metrics. docs/operate/metrics.md is generated from this table, and alerts and dashboards use no other metric. */
export const metricTable = {
  ...serviceMetrics,
  ...upkeepMetrics,
  ...indexerMetrics,
  ...graphqlMetrics,
  ...keeperMetrics,
  ...processMetrics,
}

/** Metrics of each program, in the order of the document. */
export const metricsOf: Readonly<Record<MeasuredProgram, Readonly<Record<string, Metric>>>> = {
  api: { ...serviceMetrics, ...upkeepMetrics, ...processMetrics },
  indexer: { ...indexerMetrics, ...processMetrics },
  graphql: { ...graphqlMetrics, ...processMetrics },
  'standby-keeper': {
    ...keeperMetrics,
    taskmarket_disk_free_bytes: upkeepMetrics.taskmarket_disk_free_bytes,
    taskmarket_disk_size_bytes: upkeepMetrics.taskmarket_disk_size_bytes,
    ...processMetrics,
  },
}
