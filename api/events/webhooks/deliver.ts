import type { Logger } from 'pino'
import { createSemaphore, type Semaphore } from '../../concurrency/semaphore.ts'
import type { Database } from '../../db/client.ts'
import { type EventFilters, findLogBounds, type StoredEvent } from '../read-events.queries.ts'
import { readEvents } from '../read-events.ts'
import { pauseAfter } from './backoff.ts'
import { isChallengeIn, makeTest, toEventMessage, toGapMessage, type WebhookMessage } from './messages.ts'
import { type Network, type PostOutcome, postMessage } from './post-message.ts'
import { type SealSettings, signMessage } from './webhook-secret.ts'
import {
  insertDelivery,
  type Leased,
  moveOver,
  postpone,
  recordDelivered,
  recordFailed,
  recordVerified,
  releaseLease,
  renewLease,
  type Webhook,
} from './webhooks.queries.ts'

/** The largest number of entries that one reading returns for a webhook. */
const PAGE = 20
/**
 * The time in milliseconds for which entries may be sent after they were read. Then they are read again, because the
 * webhook's wallet may no longer be allowed to see them.
 */
const FRESH_MS = 5_000
/** The time in milliseconds that a process spends on one webhook before the process leases other webhooks. */
const TURN_MS = 20_000
/** The number of webhooks that may read pages at the same time. */
const READERS = 4
/** The largest number of webhooks that may wait to read a page of entries. */
const READERS_WAITING = 1_000

/** The dependencies of `createDeliver`. */
export interface DeliverDeps {
  sql: Database
  log: Logger
  chain: { head(): Promise<{ timestamp: bigint }> }
  config: SealSettings & { WEBHOOKS: number }
  network: Network
  /** True if the chain runs on this machine. Receivers on this machine are then allowed. */
  isLocal: boolean
  /**
   * Converts the stored filters of a webhook to an SQL condition. The condition selects the tasks that match the
   * filters.
   */
  toCondition(filters: Record<string, unknown>): EventFilters['ofTask']
  metrics: { webhookAnswered(outcome: 'delivered' | 'failed' | 'paused'): void }
}

/** A webhook that this process has leased. */
type Held = Webhook & { failingSeconds: number }

/** Delivers the pending messages of one leased webhook. */
export type Deliver = (lease: Leased, stopping: AbortSignal) => Promise<void>

/**
 * Creates the function that delivers the messages of a leased webhook. An unverified webhook gets a test message. A
 * verified webhook gets entries in order, and each message must be answered with a 2xx status before the next. After a
 * crash, at most one message is repeated.
 */
export function createDeliver(deps: DeliverDeps): Deliver {
  const inTurn = createSemaphore({
    atOnce: READERS,
    maxWaiting: READERS_WAITING,
    fact: 'Too many webhooks read entries',
  })
  return async (lease, stopping) => {
    try {
      const until = performance.now() + TURN_MS
      while (!stopping.aborted && performance.now() < until) {
        if (!(await deliverPage(deps, lease, { inTurn, stopping }))) return
      }
    } catch (error) {
      // A fault of this service is no failed attempt of the receiver, but must not repeat at once.
      await postpone(deps.sql, lease).catch(() => {})
      throw error
    } finally {
      await releaseLease(deps.sql, lease)
    }
  }
}

/** The outcome of a test message. */
export interface TestOutcome extends PostOutcome {
  /** True if the answer contained the challenge of the test message. */
  isAnswered: boolean
}

/**
 * Sends a test message to a leased webhook and stores the attempt. The delivery of entries starts if the answer
 * contains the challenge.
 */
export async function sendTest(
  deps: DeliverDeps,
  lease: Leased,
  webhook: Held,
  stopping: AbortSignal,
): Promise<TestOutcome> {
  const { challenge, ...message } = makeTest(webhook.id)
  const outcome = await send(deps, webhook, { message, stopping })
  const isAnswered = isDelivered(outcome) && isChallengeIn(outcome.answer, challenge)
  const error = outcome.error ?? (isDelivered(outcome) && !isAnswered ? 'the answer does not have the challenge' : null)
  if (stopping.aborted && !isAnswered) return { ...outcome, error, isAnswered }
  await deps.sql.begin(async (tx) => {
    await insertDelivery(tx, webhook.id, { ...toDelivery(webhook, message, outcome), error })
    if (webhook.status !== 'unverified') return
    const isVerified = isAnswered && (await recordVerified(tx, lease, deps.config.WEBHOOKS))
    if (isVerified) return
    const reason = isAnswered ? 'the deployment has as many webhooks as it may have' : error
    await noteFailure(tx, lease, webhook, { status: outcome.status, error: reason })
  })
  return { ...outcome, error, isAnswered }
}

/**
 * Delivers one page of messages.
 * @returns true if the next page should be delivered at once; false if no message is left, a delivery failed, or the
 * process stops
 */
async function deliverPage(
  deps: DeliverDeps,
  lease: Leased,
  { inTurn, stopping }: { inTurn: Semaphore; stopping: AbortSignal },
): Promise<boolean> {
  const webhook = await renewLease(deps.sql, lease)
  if (webhook === null || webhook.status === 'paused') return false
  if (webhook.status === 'unverified') return (await sendTest(deps, lease, webhook, stopping)).isAnswered
  const page = await inTurn(() => readPage(deps, webhook))
  const freshUntil = performance.now() + FRESH_MS
  let from = webhook.position
  for (const { message, to } of page.messages) {
    if (stopping.aborted) return false
    if (performance.now() > freshUntil) return true
    if (!(await deliverOne(deps, lease, { webhook: { ...webhook, position: from }, message, to, stopping })))
      return false
    from = to
  }
  if (from < page.last) await moveOver(deps.sql, lease, { from, to: page.last })
  return !page.isEnd
}

interface Page {
  messages: { message: WebhookMessage; to: bigint }[]
  /** The sequence number of the last entry that was read for the page. */
  last: bigint
  isEnd: boolean
}

/**
 * Reads a page of log entries after the webhook's position. Returns the entries that the webhook's wallet may see now,
 * as messages. If entries after the position were deleted, returns one message about that gap instead.
 */
async function readPage(deps: DeliverDeps, webhook: Webhook): Promise<Page> {
  const { id, wallet, position } = webhook
  const { timestamp: now } = await deps.chain.head()
  return await deps.sql.begin('isolation level repeatable read read only', async (tx) => {
    const bounds = await findLogBounds(tx)
    if (bounds === null) return { messages: [], last: position, isEnd: true }
    const { epoch, firstSequence, lastSequence: end } = bounds
    const oldest = firstSequence - 1n
    if (position < oldest) {
      const message = toGapMessage(id, { from: position, to: oldest, epoch })
      return { messages: [{ message, to: oldest }], last: oldest, isEnd: false }
    }
    const reader = { caller: wallet, filters: filtersOf(deps, webhook), now }
    const { events, last } = await readEvents(tx, reader, { after: position, limit: PAGE, end })
    const toMessage = (event: StoredEvent) => ({ message: toEventMessage(event, epoch), to: event.sequence })
    return { messages: events.map(toMessage), last, isEnd: last >= end }
  })
}

function filtersOf(deps: DeliverDeps, { wallet, kinds, taskId, filters }: Webhook): EventFilters {
  const isOfWallet = taskId === null && filters === null
  return {
    kinds: kinds ?? undefined,
    taskId: taskId ?? undefined,
    address: isOfWallet ? wallet : undefined,
    ofTask: filters === null ? undefined : deps.toCondition(filters),
  }
}

interface One {
  webhook: Held
  message: WebhookMessage
  to: bigint
  stopping: AbortSignal
}

/** Delivers one message. @returns false if the answer had no 2xx status, or if the webhook's position has changed */
async function deliverOne(deps: DeliverDeps, lease: Leased, { webhook, message, to, stopping }: One): Promise<boolean> {
  const outcome = await send(deps, webhook, { message, stopping })
  // This process may have cut off the answer: the next one sends it again.
  if (stopping.aborted && outcome.status === null) return false
  const { status, error } = outcome
  return await deps.sql.begin(async (tx) => {
    await insertDelivery(tx, webhook.id, toDelivery(webhook, message, outcome))
    if (isDelivered(outcome)) {
      deps.metrics.webhookAnswered('delivered')
      return await recordDelivered(tx, lease, { from: webhook.position, to, status: outcome.status })
    }
    const isPaused = await noteFailure(tx, lease, webhook, { status, error })
    deps.metrics.webhookAnswered(isPaused ? 'paused' : 'failed')
    if (isPaused) deps.log.info({ webhookId: webhook.id, status, error }, 'webhook paused')
    return false
  })
}

async function send(
  deps: DeliverDeps,
  { id, url, sealedSecret, sealedEarlierSecret, earlierUntil }: Webhook,
  { message, stopping }: { message: WebhookMessage; stopping: AbortSignal },
): Promise<PostOutcome> {
  const isEarlierValid = earlierUntil !== null && earlierUntil.getTime() > Date.now()
  const secrets = { webhookId: id, sealed: sealedSecret, earlier: isEarlierValid ? sealedEarlierSecret : null }
  const timestamp = Math.floor(Date.now() / 1000)
  const signedMessage = signMessage(deps.config, secrets, { ...message, timestamp })
  return await postMessage({ url, isLocal: deps.isLocal, stopping }, signedMessage, deps.network)
}

/**
 * Records a failed attempt to deliver a message to a webhook.
 * @returns true if the webhook is now paused, because this was the last attempt
 */
async function noteFailure(
  tx: Parameters<typeof recordFailed>[0],
  lease: Leased,
  webhook: Held,
  { status, error }: Pick<PostOutcome, 'status' | 'error'>,
): Promise<boolean> {
  const { attempts, failingSeconds, position: from } = webhook
  const pauseSeconds = pauseAfter({ attempts: attempts + 1, failingSeconds })
  await recordFailed(tx, lease, { from, status, error, pauseSeconds })
  return pauseSeconds === null
}

function isDelivered(outcome: PostOutcome): outcome is PostOutcome & { status: number } {
  return outcome.status !== null && outcome.status >= 200 && outcome.status < 300
}

function toDelivery(
  { attempts }: Webhook,
  { id: messageId, kind }: WebhookMessage,
  { status, error, latencyMs }: PostOutcome,
) {
  return { messageId, kind, attempt: attempts + 1, status, error, latencyMs }
}
