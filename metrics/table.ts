import type { MeasuredProgram, Metric } from './metric.ts'
import { graphqlMetrics, indexerMetrics, keeperMetrics, processMetrics } from './process-metrics.ts'
import { serviceMetrics } from './service-metrics.ts'
import { upkeepMetrics } from './upkeep-metrics.ts'

/**
 * All metrics by name. docs/operate/metrics.md is generated from this table. Alerts and dashboards use only these
 * metrics.
 */
export const metricTable = {
  ...serviceMetrics,
  ...upkeepMetrics,
  ...indexerMetrics,
  ...graphqlMetrics,
  ...keeperMetrics,
  ...processMetrics,
}

/** The metrics of each program, in the order of docs/operate/metrics.md. */
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
