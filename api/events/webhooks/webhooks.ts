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
/** The number of tests, requested by callers, that run at the same time. */
const TESTS_AT_ONCE = 20
/** The number of requested tests that may wait. */
const TESTS_WAITING = 100
/**
 * The milliseconds after which due deliveries are looked for without a notification, because a notification can be
 * lost.
 */
const POLL_MS = 5_000
/** The milliseconds between two clean-ups. */
const TIDY_MS = 60_000
/** The milliseconds that a test waits for another delivery to its host. */
const HOST_BUSY_MS = 12_000
/** The milliseconds between two checks whether a delivery to the host is still running. */
const HOST_POLL_MS = 100
/** The seconds after which an unverified webhook is deleted: one hour. */
const UNVERIFIED_SECONDS = 3_600
/** The seconds after which a paused webhook is deleted: 90 days. */
const PAUSED_SECONDS = 7_776_000

/**
 * The webhook deliveries of a process. The whole state is in the database, so another process continues where this one
 * ends.
 */
export interface Webhooks {
  /** Starts the due deliveries without waiting for them. @returns the pause until the next call, in milliseconds */
  run(): Promise<number>
  /** Registers a listener that is called when a delivery ends. Another delivery to the same host may then be due. */
  onFree(listener: () => void): void
  /**
   * Sends a test message now. Returns null if other deliveries to the host did not end within 12 seconds. Example:
   * `test({ id, lease: randomUUID() })`.
   */
  test(lease: Leased): Promise<TestOutcome | null>
  /** Aborts the running deliveries, which another process will repeat, and resolves when all have ended. */
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
   * Leases a webhook, waiting for a running delivery to its host to end, such as the test after the webhook's creation.
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
