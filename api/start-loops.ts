import { enforceRetention } from './artifacts/enforce-retention.ts'
import { auditSums } from './books/audit-sums.ts'
import { auditTasks } from './books/audit-tasks.ts'
import { ChainUnavailable } from './chain/chain.ts'
import { type Loop, type LoopOptions, startLoop } from './concurrency/loop.ts'
import { fillDays } from './daily/fill-days.ts'
import { findTablesFault } from './db/data-version.ts'
import type { Deps } from './deps.ts'
import { appendEvents } from './events/append-events.ts'
import { WEBHOOKS_CHANNEL } from './events/webhooks/webhooks.queries.ts'
import { settleRewards } from './keeper/settle-rewards.ts'
import { openOperatorWebhook } from './open-operator-webhook.ts'
import { fillTaskSearch } from './read-model/fill-task-search.ts'
import { findRowsFault } from './read-model/indexed-head.queries.ts'
import { EVENTS_CHANNEL } from './read-model/row-changes.ts'
import { reconcileHeld } from './relayer/loops/reconcile-held.ts'
import { returnOrphanedPayments } from './relayer/loops/return-orphaned-payments.ts'
import { startOutbox } from './relayer/loops/run-outbox.ts'
import { createReceiptsRun } from './relayer/loops/watch-receipts.ts'
import { createReorgWatch } from './relayer/loops/watch-reorgs.ts'
import { fillNonceGaps } from './relayer/transactions/fill-nonce-gaps.ts'
import { openNonceSequence } from './relayer/transactions/nonce-sequences.queries.ts'
import type { RelayContext } from './relayer/transactions/relay-context.ts'
import { deleteEnded } from './server/delete-ended-rate-limits.ts'
import { deleteExpiredReservationsRun } from './writes/delete-expired-reservations.ts'
import type { AnyWrite } from './writes/relayed-write.ts'

/** The NOTIFY channel of intents that wait to be relayed. */
const OUTBOX_CHANNEL = 'service_outbox'
/** The one that the indexer notifies when it has stored a block. */
const INDEXED_CHANNEL = 'market_head'
/** Poll interval of the head without a notification, milliseconds. */
const HEAD_POLL_MS = 1_000
/** Poll interval of the relayers' balances, milliseconds; a funded reading is kept for longer. */
const BALANCES_POLL_MS = 500
/** Poll interval of the data versions that tables and rows need, milliseconds. */
const VERSIONS_POLL_MS = 1_000
/** Poll interval of the replicas, milliseconds. */
const REPLICAS_POLL_MS = 500

/** Poll interval while no node has answered since the start, milliseconds. */
const RELAYING_POLL_MS = 1_000
/** Pause of a loop that has no more to do, milliseconds. */
const NO_MORE_MS = 2 ** 30

/** A write as the relayer knows it: by the result that its logs make. */
export type RelayedWrite = Pick<AnyWrite, 'operation' | 'result'>

/** The loops that run beside the requests. */
export interface Loops {
  /** Lets every run in progress finish: no signed transaction stays unsent that could be sent. */
  stop(): Promise<void>
}

/**
 * Starts the loops. Those of the relayer wait until the chain was checked and the nonce sequences are open. All state is
 * in the tables, so a process continues what another one left.
 * @param writes every write that may be in the tables
 */
export async function startLoops(deps: Deps, writes: readonly RelayedWrite[]): Promise<Loops> {
  let isRelaying = false
  const openSequences = async () => {
    if (!deps.chainGate.isOpen()) return
    for (const { address } of deps.relayer.accounts) {
      await openNonceSequence(deps.sql, address, await deps.chain.getTransactionCount(address))
    }
    isRelaying = true
  }
  const openRun = async () => {
    try {
      await deps.chainGate.tryOpen()
    } catch (error) {
      deps.end(error instanceof Error ? error : new Error(String(error)))
      return NO_MORE_MS
    }
    await openSequences()
    return isRelaying ? NO_MORE_MS : RELAYING_POLL_MS
  }
  await openSequences().catch((error) => {
    if (!(error instanceof ChainUnavailable)) throw error
  })
  const relay: RelayContext = {
    deps,
    results: new Map(writes.map(({ operation, result }) => [operation, result])),
    onSent: () => {
      receipts.hurry()
      receiptsLoop.wake()
    },
  }
  const { POLLING_INTERVAL_MS: pollingIntervalMs, RESEND_AFTER_MS: resendAfterMs } = deps.config
  const receipts = createReceiptsRun(relay, { pollingIntervalMs, resendAfterMs })
  const reorgs = createReorgWatch(relay)
  const reorgsRun = async () => {
    await reorgs.pass()
    return Math.max(pollingIntervalMs, HEAD_POLL_MS)
  }

  // So that no request has to wait for a reading.
  const balancesRun = async () => {
    await deps.relayer.balances.read(deps.chain)
    return BALANCES_POLL_MS
  }
  const nonceGapsRun = async () => {
    await fillNonceGaps(relay)
    return resendAfterMs
  }

  /** A newer release has changed the tables, or serves rows that this one would read wrongly. */
  const versionsRun = async () => {
    const fault = findRowsFault(deps.indexedHead.current()) ?? (await findTablesFault(deps.sql))
    if (fault !== null) deps.end(new Error(fault))
    return VERSIONS_POLL_MS
  }
  const replicasRun = async () => {
    await deps.publicReads.poll()
    return REPLICAS_POLL_MS
  }
  const { log, observe } = deps
  const start = (name: string, run: LoopOptions['run']): Loop => startLoop({ name, log, metrics: observe.metrics, run })
  const startRelaying = (name: string, run: LoopOptions['run']): Loop =>
    start(name, async (stopping) => (isRelaying ? await run(stopping) : RELAYING_POLL_MS))
  const receiptsLoop = startRelaying('receipts', receipts.run)
  const reorgsLoop = startRelaying('reorgs', reorgsRun)
  const eventsLoop = start('events', () => appendEvents(deps))
  const webhooksLoop = start('webhooks', deps.webhooks.run)
  deps.webhooks.onFree(webhooksLoop.wake)
  const operator = openOperatorWebhook(deps)
  const outbox = startOutbox(relay, startRelaying)
  const others = [
    reorgsLoop,
    eventsLoop,
    webhooksLoop,
    ...(isRelaying ? [] : [start('chain', openRun)]),
    start('versions', versionsRun),
    start('certificates', observe.certificates.run),
    start('reservations', () => deleteExpiredReservationsRun(deps)),
    start('rate limits', () => deleteEnded(deps)),
    start('files', (stopping) => enforceRetention(deps, stopping)),
    startRelaying('orphaned payments', () => returnOrphanedPayments(deps)),
    startRelaying('held', () => reconcileHeld(deps)),
    startRelaying('nonce gaps', nonceGapsRun),
    startRelaying('relayer balances', balancesRun),
    start('task search', () => fillTaskSearch(deps)),
    startRelaying('keeper', (stopping) => settleRewards(deps, stopping)),
    startRelaying('books', () => auditSums(deps)),
    startRelaying('books of tasks', () => auditTasks(deps)),
    startRelaying('daily sums', () => fillDays(deps)),
    ...(operator === null ? [] : [start('operator webhook', operator.run)]),
    ...(deps.publicReads.replicas.length > 0 ? [start('replicas', replicasRun)] : []),
  ]
  const listening = await Promise.all([
    deps.sql.listen(OUTBOX_CHANNEL, outbox.wake),
    deps.sql.listen(EVENTS_CHANNEL, webhooksLoop.wake),
    deps.sql.listen(WEBHOOKS_CHANNEL, webhooksLoop.wake),
    deps.sql.listen(INDEXED_CHANNEL, () => {
      receipts.expectRows()
      receiptsLoop.wake()
      reorgsLoop.wake()
      eventsLoop.wake()
    }),
  ])
  return {
    stop: async () => {
      await Promise.all(listening.map(({ unlisten }) => unlisten()))
      await deps.webhooks.stop()
      await outbox.stop()
      await Promise.all([receiptsLoop, ...others].map((loop) => loop.stop()))
      await operator?.stop()
    },
  }
}
