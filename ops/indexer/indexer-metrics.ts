import type { Registry } from 'prom-client'
import { instrumentsOf } from '../../metrics/instruments.ts'
import type { Metric } from '../../metrics/metric.ts'
import { indexerMetrics } from '../../metrics/process-metrics.ts'
import { TOKEN_HEADER } from './metrics-token.ts'

/**
 * Time limit in milliseconds for reading Ponder's metrics. After this time, a scrape returns only the supervisor's
 * metrics.
 */
const PONDER_TIMEOUT_MS = 2_000

/** Records in metrics what happens to the Ponder process that a supervisor runs. */
export interface IndexerMetrics {
  /** Records that Ponder has started. Stores the URL and the token with which a scrape reads Ponder's metrics. */
  started(ponder: PonderMetrics): void
  ended(): void
  restarted(): void
  sampled(sample: { head: bigint; indexed: bigint }): void
}

/** URL of Ponder's HTTP server, and the token that its `/metrics` requires. */
interface PonderMetrics {
  url: string
  token: string
}

/** The metrics of the indexer, with the text that a scrape returns. */
interface ObservedIndexer extends IndexerMetrics {
  scrape(): Promise<string>
}

/** Registers the metrics of the supervisor. A scrape also returns the metrics of Ponder that `indexerMetrics` lists. */
export function createIndexerMetrics(registry: Registry): ObservedIndexer {
  const { counter, gauge } = instrumentsOf(registry)
  const runningGauge = gauge('taskmarket_indexer_running')
  const restarts = counter('taskmarket_indexer_restarts_total')
  const indexedGauge = gauge('taskmarket_indexer_indexed_block')
  const head = gauge('taskmarket_indexer_node_block')
  let ponder: PonderMetrics | null = null
  runningGauge.set(0)
  return {
    started: (next) => {
      ponder = next
      runningGauge.set(1)
    },
    ended: () => {
      ponder = null
      runningGauge.set(0)
    },
    restarted: () => restarts.inc(),
    sampled: (sample) => {
      indexedGauge.set(Number(sample.indexed))
      head.set(Number(sample.head))
    },
    scrape: async () => {
      const [ownMetrics, ofPonder] = await Promise.all([registry.metrics(), readPonderMetrics(ponder)])
      return `${ownMetrics.trimEnd()}\n${ofPonder}`
    },
  }
}

async function readPonderMetrics(ponder: PonderMetrics | null): Promise<string> {
  if (ponder === null) return ''
  try {
    const response = await fetch(`${ponder.url}/metrics`, {
      headers: { [TOKEN_HEADER]: ponder.token },
      signal: AbortSignal.timeout(PONDER_TIMEOUT_MS),
    })
    return response.ok ? leaveListed(await response.text()) : ''
  } catch {
    return ''
  }
}

/**
 * Returns the lines of a Prometheus text that belong to a metric in `indexerMetrics`. All other lines are left out,
 * because clients can choose the labels of some metrics of Ponder, for example paths.
 * @example leaveListed('ponder_sync_block 7\nponder_sync_is_realtime 1\n') // 'ponder_sync_is_realtime 1\n'
 */
export function leaveListed(text: string): string {
  const names = Object.entries<Metric>(indexerMetrics).flatMap(([name, { source }]) =>
    source === 'ponder' ? [name] : [],
  )
  const isListed = new RegExp(`^(# (HELP|TYPE) )?(${names.join('|')})(_bucket|_sum|_count)?[ {]`)
  const lines = text.split('\n').filter((line) => isListed.test(line))
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
