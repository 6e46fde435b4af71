import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ReadOutcome } from '../read-model/replicas/public-reads.ts'
import type { ReplicaState } from '../read-model/replicas/replica.ts'

/** The parts of a relayed write whose time is taken, in their order (docs/operations.md, "Metrics"). */
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

/** What this process counts and times. Values that stand in the database or on chain are gathered at a scrape. */
export interface Metrics {
  registry: Registry
  requestAnswered(request: { method: string; route: string; status: number; seconds: number }): void
  /** `outcome`: `ok`, `challenge` or the error's reason. */
  writeAnswered(write: { operation: string; outcome: string; seconds: number }): void
  /** An intent of this process got an outcome. */
  writeDecided(operation: string, outcome: string): void
  /** A relayed transaction was mined: what its gas cost. */
  gasPaid(transaction: { relayClass: string; succeeded: boolean; wei: bigint }): void
  /** A reorg took an intent back to `broadcast`. */
  intentReopened(operation: string): void
  stageTook(stage: WriteStage, seconds: number): void
  chainAsked(request: { method: string; outcome: 'ok' | 'failed'; seconds: number }): void
  reorgSeen(): void
  loopRan(loop: string, outcome: 'ok' | 'failed'): void
  /** A delivery of an entry was answered 2xx, was not, or was the last one before its webhook was paused. */
  webhookAnswered(outcome: 'delivered' | 'failed' | 'paused'): void
  /** A read that replicas may answer was answered, with READ_DATABASE_URLS. */
  publicRead(outcome: ReadOutcome): void
  /** A poll of a replica, or a failed read on it. */
  replicaSeen(state: ReplicaState): void
}

/** From a cached read to the longest a write may wait. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Counters and histograms of one process, in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests by route template.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the head of its answer.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const answers = new Counter({
    name: 'taskmarket_write_answers_total',
    help: 'Answers of write routes: ok, challenge (the 402 of round one) or the reason of the error.',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const writes = new Counter({
    name: 'taskmarket_writes_total',
    help: 'Relayed writes this process decided: completed, failed, held. One that a reorg reopened counts again.',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const gas = new Counter({
    name: 'taskmarket_relay_gas_wei_total',
    help: 'Wei paid for the gas of relayed writes that this process saw mined, by class (plain, foreign) and outcome.',
    labelNames: ['class', 'outcome'],
    registers,
  })
  const reopened = new Counter({
    name: 'taskmarket_intents_reopened_total',
    help: 'Decided writes that a reorg sent back on their way.',
    labelNames: ['operation'],
    registers,
  })
  const stages = new Histogram({
    name: 'taskmarket_write_stage_seconds',
    help: 'Time of each stage of a relayed write.',
    labelNames: ['stage'],
    buckets: SECONDS,
    registers,
  })
  const chain = new Histogram({
    name: 'taskmarket_chain_request_seconds',
    help: 'Questions to the node, by function of the chain port.',
    labelNames: ['method', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  const reorgs = new Counter({
    name: 'taskmarket_reorgs_seen_total',
    help: 'Heads that did not follow the blocks seen before.',
    registers,
  })
  const webhooks = new Counter({
    name: 'taskmarket_webhook_deliveries_total',
    help: 'Deliveries of entries of the log to webhooks: delivered, failed, or failed and paused.',
    labelNames: ['outcome'],
    registers,
  })
  const publicReads = new Counter({
    name: 'taskmarket_public_reads_total',
    help: 'Reads of lists and details by where they were answered; of the primary, by why no replica could.',
    labelNames: ['outcome'],
    registers,
  })
  const replicaUsable = new Gauge({
    name: 'taskmarket_replica_usable',
    help: 'Whether reads are tried on a replica.',
    labelNames: ['replica'],
    registers,
  })
  const replicaLag = new Gauge({
    name: 'taskmarket_replica_lag_blocks',
    help: 'Blocks of the indexer that a replica is behind; absent when it gives no answer or is no standby.',
    labelNames: ['replica'],
    registers,
  })
  const loops = new Counter({
    name: 'taskmarket_loop_runs_total',
    help: 'Runs of the background loops; failed ones are tried again.',
    labelNames: ['loop', 'outcome'],
    registers,
  })
  const loopAt = new Gauge({
    name: 'taskmarket_loop_last_run_timestamp_seconds',
    help: 'When a loop last finished a run.',
    labelNames: ['loop'],
    registers,
  })
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
    intentReopened: (operation) => reopened.inc({ operation }),
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
    loopRan: (loop, outcome) => {
      loops.inc({ loop, outcome })
      loopAt.set({ loop }, Date.now() / 1000)
    },
  }
}
