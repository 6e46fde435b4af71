import type { Chain } from '../chain/chain.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import type { NodeState } from '../nodes/node-pool.ts'
import { type Certificates, createCertificates } from './certificates.ts'
import { createGauges } from './gauges.ts'
import type { Metrics, WriteStage } from './metrics.ts'
import { createNodeGauges } from './node-gauges.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { createSources, type SourceOptions } from './sources.ts'
import { createStaleIntentCount, type StaleIntents } from './stale-intents.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'

/** The metrics, readiness checks and traces of the service for the operator: all signals except the log. */
export interface Observability {
  metrics: Metrics
  readiness: Readiness
  /** Returns the number of intents that have had no outcome for ten minutes; null if the database does not answer. */
  staleIntents(): Promise<StaleIntents | null>
  /**
   * Runs a stage of a relayed write and records the stage's duration, even if the stage throws. If the caller runs
   * outside a request, it must pass the id of the intent.
   */
  stage<Result>(stage: WriteStage, work: () => Promise<Result>, intentId?: string): Promise<Result>
  tracing: Tracing
  /** The TLS certificates of the service's public addresses. A loop of the process reads them. */
  certificates: Certificates
  /**
   * Returns the metrics in Prometheus text form: the counters of this process, and gauges that are read by this call.
   */
  scrape(): Promise<string>
}

export interface ObservabilityOptions {
  config: Pick<
    Config,
    'REPLACE_AFTER_MS' | 'ARTIFACT_DIR' | 'FOREIGN_WEI_PER_DAY' | 'PUBLIC_BASE_URL' | 'ARTIFACT_BASE_URL'
  >
  sql: Database
  chain: Chain
  /** True for a local development chain, which may be idle. */
  isLocal: boolean
  /** Reads the nonces and ether balances of this process's relayers. */
  readRelayers: SourceOptions['readRelayers']
  /** Reads the number of days for which each relayer's ether lasts. */
  readRunways: SourceOptions['readRunways']
  /** Returns the states of the nodes that this process uses. */
  readNodes: () => NodeState[]
  probeStorage: SourceOptions['probeStorage']
  readExportAge: SourceOptions['readExportAge']
  metrics: Metrics
  tracing?: Tracing
}

/**
 * Creates the service's signals for the operator. Nothing is measured yet. Example: `await
 * createObservability(options).scrape()`.
 */
export function createObservability({
  config,
  metrics,
  tracing = noTracing,
  isLocal,
  readNodes,
  ...looksAt
}: ObservabilityOptions): Observability {
  const { sql } = looksAt
  const { PUBLIC_BASE_URL, ARTIFACT_BASE_URL, FOREIGN_WEI_PER_DAY: foreignWeiPerDay } = config
  const certificates = createCertificates({ PUBLIC_BASE_URL, ARTIFACT_BASE_URL })
  const sources = createSources({ ...looksAt, config, certificates })
  const gauges = createGauges(metrics.registry, sources, { foreignWeiPerDay })
  createNodeGauges(metrics.registry, readNodes)
  return {
    metrics,
    certificates,
    readiness: createReadiness(sources, { isLocal, readNodes }),
    staleIntents: createStaleIntentCount(sql),
    tracing,
    stage: async (stage, work, intentId) => {
      const start = performance.now()
      try {
        return await work()
      } finally {
        const milliseconds = performance.now() - start
        metrics.stageTook(stage, milliseconds / 1000)
        tracing.stageEnded(stage, milliseconds, intentId)
      }
    },
    scrape: async () => {
      await gauges.gather()
      return await metrics.registry.metrics()
    },
  }
}
