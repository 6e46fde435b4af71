import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { createDeliver, type DeliverDeps, sendTest, type TestOutcome } from './deliver.ts'
import {
  deleteAbandoned,
  findNextAttempt,
  type Leased,
  leaseDue,
  leaseOne,
  passOver,
  releaseLease,
  renewLease,
} from './webhooks.queries.ts'

/** The number of webhooks that this process delivers to at the same time. */
const AT_ONCE = 100
/** The largest number of requested webhook tests that may run at the same time. */
const TESTS_AT_ONCE = 20
/** The largest number of requested webhook tests that may wait to run. */
const TESTS_WAITING = 100
/**
 * The time in milliseconds after which the process looks for due deliveries, if no notification arrives. A notification
 * can be lost.
 */
const POLL_MS = 5_000
/** The milliseconds between two deletions of the webhooks that have been unverified or paused for too long. */
const TIDY_MS = 60_000
/** The time in milliseconds that a test waits for an earlier delivery to the same host. */
const HOST_BUSY_MS = 12_000
/** The milliseconds between two checks whether a delivery to the receiver's host is still running. */
const HOST_POLL_MS = 100
/** The seconds after which an unverified webhook is deleted: one hour. */
const UNVERIFIED_SECONDS = 3_600
/** The seconds after which a paused webhook is deleted: 90 days. */
const PAUSED_SECONDS = 7_776_000

/** The webhook deliveries of a process. All state is in the database, so another process can continue. */
export interface Webhooks {
  /**
   * Starts the due deliveries and does not wait for their end.
   * @returns the pause until the next call, in milliseconds
   */
  run(): Promise<number>
  /**
   * Registers a listener that is called when a delivery ends. After the end, a waiting delivery to the same host may be
   * due.
   */
  onFree(listener: () => void): void
  /**
   * Sends a test message now. Returns null if other deliveries to the host did not end within 12 seconds. Example:
   * `test({ id, lease: randomUUID() })`.
   */
  test(lease: Leased): Promise<TestOutcome | null>
  /** Aborts the running deliveries and resolves when all have ended. Another process will repeat them. */
  stop(): Promise<void>
}

/** Creates the webhook deliveries of a process; they begin with the first call of `run`. */
export function createWebhooks(deps: DeliverDeps): Webhooks {
  const { sql, log } = deps
  const deliver = createDeliver(deps)
  const activeWork = new Set<Promise<unknown>>()
  const inTestTurn = createSemaphore({
    atOnce: TESTS_AT_ONCE,
    maxWaiting: TESTS_WAITING,
    fact: 'Too many webhooks are tested',
  })
  let deliveries = 0
  const stopping = new AbortController()
  let onFree = () => {}
  let tidyAt = 0

  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    const trackedWork = work.finally(() => activeWork.delete(trackedWork))
    activeWork.add(trackedWork)
    return trackedWork
  }

  const deliverTo = async (lease: Leased) => {
    deliveries += 1
    try {
      await deliver(lease, stopping.signal)
      onFree()
    } catch (err) {
      log.warn({ err, webhookId: lease.id }, 'webhook delivery failed')
    } finally {
      deliveries -= 1
    }
  }

  const tidy = async () => {
    await deleteAbandoned(sql, { unverifiedSeconds: UNVERIFIED_SECONDS, pausedSeconds: PAUSED_SECONDS })
    await passOver(sql)
    tidyAt = performance.now() + TIDY_MS
  }

  /**
   * Leases a webhook for a test. If a delivery to the same host is running, waits for the end of that delivery first.
   * @returns false if the delivery did not end within `HOST_BUSY_MS`, or if the process stops
   */
  const leaseInTime = async (lease: Leased): Promise<boolean> => {
    const until = performance.now() + HOST_BUSY_MS
    while (!(await leaseOne(sql, lease))) {
      if (stopping.signal.aborted || performance.now() > until) return false
      await pause(HOST_POLL_MS)
    }
    return true
  }

  const testUnder = async (lease: Leased) => {
    if (!(await leaseInTime(lease))) return null
    try {
      const webhook = await renewLease(sql, lease)
      return webhook && (await sendTest(deps, lease, webhook, stopping.signal))
    } finally {
      await releaseLease(sql, lease)
      onFree()
    }
  }

  return {
    run: async () => {
      if (performance.now() >= tidyAt) await tidy()
      const freePlaces = AT_ONCE - deliveries
      if (freePlaces > 0 && !stopping.signal.aborted) {
        for (const lease of await leaseDue(sql, freePlaces, randomUUID())) void track(deliverTo(lease))
      }
      const seconds = await findNextAttempt(sql)
      return seconds === null ? POLL_MS : Math.min(POLL_MS, Math.ceil(seconds * 1000))
    },
    onFree: (listener) => {
      onFree = listener
    },
    test: (lease) => track(inTestTurn(() => testUnder(lease))),
    stop: async () => {
      stopping.abort()
      await Promise.allSettled(activeWork)
    },
  }
}
