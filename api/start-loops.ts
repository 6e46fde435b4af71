import { enforceRetention } from './artifacts/enforce-retention.ts'
import { auditSums } from './books/audit-sums.ts'
import { auditTasks } from './books/audit-tasks.ts'
import { ChainUnavailable } from './chain/chain.ts'
import { type Loop, type LoopOptions, startLoop } from './concurrency/loop.ts'
import { fillDays } from './daily/fill-days.ts'
import { findTablesFault } from './db/data-version.ts'
import { MIGRATED_CHANNEL } from './db/migrate.ts'
import type { Deps } from './deps.ts'
import { appendEvents } from './events/append-events.ts'
import { WEBHOOKS_CHANNEL } from './events/webhooks/webhooks.queries.ts'
import { createFragmentsRun } from './features/tasks/list/store-fragments.ts'
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
import { createDirectRelays } from './relayer/transactions/relay-directly.ts'
import { deleteEnded } from './server/delete-ended-rate-limits.ts'
import { deleteExpiredReservationsRun } from './writes/delete-expired-reservations.ts'
import { foldWritesRun } from './writes/fold-writes.ts'
import type { AnyWrite } from './writes/relayed-write.ts'

/** The NOTIFY channel of intents that wait to be relayed. */
const OUTBOX_CHANNEL = 'service_outbox'
/**
 * The channel on which Postgres notifies new invitations to private tasks. The event log then gets entries for the
 * invited wallets.
 */
const REVEALS_CHANNEL = 'event_reveals'
/** The channel on which the indexer notifies each stored block. */
const INDEXED_CHANNEL = 'market_head'
/**
 * The shortest pause between two polls of the check for reorgs, in milliseconds. When the indexer stores a block, the
 * check runs at once.
 */
const HEAD_POLL_MS = 2_000
/**
 * The interval at which the loop asks for the relayers' balances, in milliseconds. While a relayer has enough ether, a
 * reading is reused for some seconds.
 */
const BALANCES_POLL_MS = 500
/**
 * The interval at which the data version of the indexer's rows is checked, in milliseconds. The check reads memory
 * only.
 */
const ROWS_VERSION_POLL_MS = 1_000
/**
 * The interval at which the data version of the service's tables is checked, in milliseconds. A migration also triggers
 * the check.
 */
const TABLES_VERSION_POLL_MS = 15_000
/** The interval at which the positions of the replicas are queried, in milliseconds. */
const REPLICAS_POLL_MS = 500

/** The interval at which the relayer's loops check whether they may start, in milliseconds. */
const RELAYING_POLL_MS = 1_000
/**
 * The time between the first runs of two maintenance loops, in milliseconds. If all of them ran at once, each would open
 * a database connection, which takes 0.1 s of processor time.
 */
const MAINTENANCE_SPREAD_MS = 100
/** The pause of a loop that has no further work, in milliseconds. */
const NO_MORE_MS = 2 ** 30

/** A write that the relayer sends, with the function that builds its result from the transaction's logs. */
export type RelayedWrite = Pick<AnyWrite, 'operation' | 'result'>

/** The loops that run in the background. */
export interface Loops {
  /** Stops the loops. Waits until each loop has finished its current run, so that every signed transaction is sent. */
  stop(): Promise<void>
}

/**
 * Starts the loops. The loops of the relayer do nothing until the chain is verified and the nonce sequences are open.
 * All state is in the tables, so a process can continue the work of another process.
 * @param writes every kind of relayed write, because the tables may contain writes that another process stored
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
  const directRelays = createDirectRelays(relay, () => isRelaying)
  deps.writes.relayer.relayDirectly(directRelays)
  const reorgs = createReorgWatch(relay)
  const reorgsRun = async () => {
    await reorgs.pass()
    return Math.max(pollingIntervalMs, HEAD_POLL_MS)
  }

  // Reads balances ahead, so that no request waits for them.
  const balancesRun = async () => {
    await deps.relayer.balances.read(deps.chain)
    return BALANCES_POLL_MS
  }
  const nonceGapsRun = async () => {
    await fillNonceGaps(relay)
    return resendAfterMs
  }

  const endWith = (fault: string | null) => {
    if (fault !== null) deps.end(new Error(fault))
  }
  /** Ends the process if the served rows belong to a newer release, because this release would misread them. */
  const rowsVersionRun = async () => {
    endWith(findRowsFault(deps.indexedHead.current()))
    return ROWS_VERSION_POLL_MS
  }
  /** Ends the process if a newer release has changed the service's tables. */
  const tablesVersionRun = async () => {
    endWith(await findTablesFault(deps.sql))
    return TABLES_VERSION_POLL_MS
  }
  const replicasRun = async () => {
    await deps.publicReads.poll()
    return REPLICAS_POLL_MS
  }
  const { log, observe } = deps
  const start = (name: string, run: LoopOptions['run'], firstPauseMs = 0): Loop =>
    startLoop({ name, log, metrics: observe.metrics, run, firstPauseMs })
  const startRelaying = (name: string, run: LoopOptions['run'], firstPauseMs = 0): Loop =>
    start(name, async (stopping) => (isRelaying ? await run(stopping) : RELAYING_POLL_MS), firstPauseMs)
  let startedLater = 0
  const nextPauseMs = () => MAINTENANCE_SPREAD_MS * startedLater++
  const startLater = (name: string, run: LoopOptions['run']): Loop => start(name, run, nextPauseMs())
  const startRelayingLater = (name: string, run: LoopOptions['run']): Loop => startRelaying(name, run, nextPauseMs())
  const receiptsLoop = startRelaying('receipts', receipts.run)
  const reorgsLoop = startRelaying('reorgs', reorgsRun)
  const eventsLoop = start('events', () => appendEvents(deps))
  const webhooksLoop = start('webhooks', deps.webhooks.run)
  deps.webhooks.onFree(webhooksLoop.wake)
  const operator = openOperatorWebhook(deps)
  const outbox = startOutbox(relay, startRelaying)
  const tablesVersionLoop = start('tables version', tablesVersionRun)
  const others = [
    reorgsLoop,
    eventsLoop,
    webhooksLoop,
    ...(isRelaying ? [] : [start('chain', openRun)]),
    start('rows version', rowsVersionRun),
    tablesVersionLoop,
    startRelayingLater('relayer balances', balancesRun),
    startRelayingLater('nonce gaps', nonceGapsRun),
    startRelayingLater('held', () => reconcileHeld(deps)),
    startRelayingLater('orphaned payments', () => returnOrphanedPayments(deps)),
    startLater('task search', () => fillTaskSearch(deps)),
    startLater('task fragments', createFragmentsRun(deps)),
    startRelayingLater('keeper', (stopping) => settleRewards(deps, stopping)),
    startLater('reservations', () => deleteExpiredReservationsRun(deps)),
    startLater('rate limits', () => deleteEnded(deps)),
    startLater('files', (stopping) => enforceRetention(deps, stopping)),
    startLater('old writes', (stopping) => foldWritesRun(deps, stopping)),
    startRelayingLater('books', () => auditSums(deps)),
    startRelayingLater('books of tasks', () => auditTasks(deps)),
    startRelayingLater('daily sums', () => fillDays(deps)),
    startLater('certificates', observe.certificates.run),
    ...(operator === null ? [] : [start('operator webhook', operator.run)]),
    ...(deps.publicReads.replicas.length > 0 ? [start('replicas', replicasRun)] : []),
  ]
  // The second call follows each new connection: what was notified before it is lost.
  const listen = (channel: string, onNotice: () => void) => deps.sql.listen(channel, onNotice, onNotice)
  const subscriptions = await Promise.all([
    listen(OUTBOX_CHANNEL, outbox.wake),
    listen(EVENTS_CHANNEL, webhooksLoop.wake),
    listen(WEBHOOKS_CHANNEL, webhooksLoop.wake),
    listen(REVEALS_CHANNEL, eventsLoop.wake),
    listen(MIGRATED_CHANNEL, tablesVersionLoop.wake),
    listen(INDEXED_CHANNEL, () => {
      receipts.expectRows()
      receiptsLoop.wake()
      reorgsLoop.wake()
      eventsLoop.wake()
    }),
  ])
  return {
    stop: async () => {
      await Promise.all(subscriptions.map(({ unlisten }) => unlisten()))
      await deps.webhooks.stop()
      await Promise.all([outbox.stop(), directRelays.stop()])
      await Promise.all([receiptsLoop, ...others].map((loop) => loop.stop()))
      await operator?.stop()
    },
  }
}
