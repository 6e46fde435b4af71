import { Registry } from 'prom-client'
import { instrumentsOf } from '../../metrics/instruments.ts'
import type { ReadOutcome } from '../read-model/replicas/public-reads.ts'
import type { ReplicaState } from '../read-model/replicas/replica.ts'

/**
 * The stages of a relayed write, in the order of the pipeline (docs/operate/metrics.md). The duration of each stage is
 * measured.
 */
export type WriteStage =
  | 'preflight'
  | 'verify'
  | 'simulate'
  | 'bind'
  | 'outbox'
  | 'sign'
  | 'send'
  | 'mined'
  | 'indexed'
  | 'answer'

/**
 * The counters and histograms of this process. Values from the database or the chain are read at each scrape instead.
 */
export interface Metrics {
  registry: Registry
  requestAnswered(request: { method: string; route: string; status: number; seconds: number }): void
  /** Counts an answered write. `outcome` is `ok`, `challenge` or the error's reason. */
  writeAnswered(write: { operation: string; outcome: string; seconds: number }): void
  /** Counts an intent whose status this process has set to `completed`, `failed` or `held`. */
  writeDecided(operation: string, outcome: string): void
  /** Counts the gas cost of a mined transaction, in wei. */
  gasPaid(transaction: { relayClass: string; succeeded: boolean; wei: bigint }): void
  /** Counts an intent whose outcome was undone, for example by a reorg. Its status is `broadcast` again. */
  intentReopened(operation: string): void
  /**
   * Records whether a relayer's key was used outside this service. It was used if the relayer's next nonce is higher on
   * chain than in the database, or if an unknown transaction took the nonce of an intent or refund.
   */
  relayerSeen(comparison: { relayer: string; isUsedElsewhere: boolean }): void
  stageTook(stage: WriteStage, seconds: number): void
  chainAsked(request: { method: string; outcome: 'ok' | 'failed'; seconds: number }): void
  reorgSeen(): void
  loopRan(loop: string, outcome: 'ok' | 'failed'): void
  /**
   * Counts an attempt to deliver to a webhook. `delivered`: the answer had a 2xx status. `failed`: it had not, and
   * the webhook stays active. `paused`: it had not, and the service paused the webhook.
   */
  webhookAnswered(outcome: 'delivered' | 'failed' | 'paused'): void
  /** Counts a read that a replica may answer. Used only with READ_DATABASE_URLS. */
  publicRead(outcome: ReadOutcome): void
  /** Records the state of a replica after a poll or a failed read. */
  replicaSeen(state: ReplicaState): void
  /** Counts an analyst's SQL query, with its outcome and duration. */
  queryAnswered(query: { outcome: string; seconds: number }): void
  enginesCounted(engines: { busy: number; idle: number }): void
}

/** Creates the counters and histograms of one process, in a separate registry. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const instruments = instrumentsOf(registry)
  const requests = instruments.counter('taskmarket_http_requests_total')
  const requestSeconds = instruments.histogram('taskmarket_http_request_seconds')
  const answers = instruments.counter('taskmarket_write_answers_total')
  const writes = instruments.counter('taskmarket_writes_total')
  const gas = instruments.counter('taskmarket_relay_gas_wei_total')
  const reopenedIntents = instruments.counter('taskmarket_intents_reopened_total')
  const usedElsewhere = instruments.counter('taskmarket_relayer_used_elsewhere_total')
  const stages = instruments.histogram('taskmarket_write_stage_seconds')
  const chain = instruments.histogram('taskmarket_chain_request_seconds')
  const reorgs = instruments.counter('taskmarket_reorgs_seen_total')
  const webhooks = instruments.counter('taskmarket_webhook_deliveries_total')
  const publicReads = instruments.counter('taskmarket_public_reads_total')
  const replicaUsable = instruments.gauge('taskmarket_replica_usable')
  const replicaLag = instruments.gauge('taskmarket_replica_lag_blocks')
  const queries = instruments.counter('taskmarket_sql_queries_total')
  const querySeconds = instruments.histogram('taskmarket_sql_query_seconds')
  const engines = instruments.gauge('taskmarket_sql_engines')
  const loops = instruments.counter('taskmarket_loop_runs_total')
  const loopAt = instruments.gauge('taskmarket_loop_last_run_timestamp_seconds')
  // Series start at 0, because a series that begins with its first event lacks that event in every rate.
  for (const outcome of ['succeeded', 'reverted']) {
    for (const relayClass of ['plain', 'foreign']) gas.inc({ class: relayClass, outcome }, 0)
  }
  for (const outcome of ['delivered', 'failed', 'paused']) webhooks.inc({ outcome }, 0)
  return {
    registry,
    requestAnswered: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status })
      requestSeconds.observe({ route }, seconds)
    },
    writeAnswered: ({ operation, outcome, seconds }) => {
      answers.inc({ operation, outcome })
      stages.observe({ stage: 'answer' }, seconds)
    },
    writeDecided: (operation, outcome) => writes.inc({ operation, outcome }),
    gasPaid: ({ relayClass, succeeded, wei }) =>
      gas.inc({ class: relayClass, outcome: succeeded ? 'succeeded' : 'reverted' }, Number(wei)),
    intentReopened: (operation) => reopenedIntents.inc({ operation }),
    relayerSeen: ({ relayer, isUsedElsewhere }) => usedElsewhere.inc({ relayer }, isUsedElsewhere ? 1 : 0),
    stageTook: (stage, seconds) => stages.observe({ stage }, seconds),
    chainAsked: ({ method, outcome, seconds }) => chain.observe({ method, outcome }, seconds),
    reorgSeen: () => reorgs.inc(),
    webhookAnswered: (outcome) => webhooks.inc({ outcome }),
    publicRead: (outcome) => publicReads.inc({ outcome }),
    replicaSeen: ({ replica, isUsable, lagBlocks }) => {
      replicaUsable.set({ replica }, isUsable ? 1 : 0)
      if (lagBlocks === null) replicaLag.remove({ replica })
      else replicaLag.set({ replica }, Number(lagBlocks))
    },
    queryAnswered: ({ outcome, seconds }) => {
      queries.inc({ outcome })
      querySeconds.observe(seconds)
    },
    enginesCounted: ({ busy, idle }) => {
      engines.set({ state: 'busy' }, busy)
      engines.set({ state: 'idle' }, idle)
    },
    loopRan: (loop, outcome) => {
      loops.inc({ loop, outcome })
      loopAt.set({ loop }, Date.now() / 1000)
    },
  }
}
