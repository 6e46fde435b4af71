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

/** The webhooks that this process delivers to at once. */
const AT_ONCE = 100
/** The tests that callers request at once, and those that wait. */
const TESTS_AT_ONCE = 20
const TESTS_WAITING = 100
/** The pause without a notification, which can be lost, milliseconds. */
const POLL_MS = 5_000
/** The time between two clean-ups, milliseconds. */
const TIDY_MS = 60_000
/** The wait of a test for another delivery to its host, and its poll interval, milliseconds. */
const HOST_BUSY_MS = 12_000
const HOST_POLL_MS = 100
/** The time after which an unverified and a paused webhook is deleted. */
const UNVERIFIED_SECONDS = 3_600
const PAUSED_SECONDS = 7_776_000

/** The deliveries of a process. All state is in the tables, so another process continues where this one ends. */
export interface Webhooks {
  /** Starts due deliveries without waiting for them. @returns the pause until the next call, milliseconds */
  run(): Promise<number>
  /** Registers a listener for ended deliveries: another one may be due at the host. */
  onFree(listener: () => void): void
  /**
   * Sends a test now; null: other deliveries to the host were running for 12 seconds. Example: `test({ id, lease:
   * randomUUID() })`.
   */
  test(leased: Leased): Promise<TestOutcome | null>
  /** Aborts running deliveries, which another process repeats, and resolves when none is left. */
  stop(): Promise<void>
}

/** Creates the deliveries, which begin with `run`. */
export function createWebhooks(deps: DeliverDeps): Webhooks {
  const { sql, log } = deps
  const deliver = createDeliver(deps)
  const active = new Set<Promise<unknown>>()
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
    const tracked = work.finally(() => active.delete(tracked))
    active.add(tracked)
    return tracked
  }

  const deliverTo = async (leased: Leased) => {
    deliveries += 1
    try {
      await deliver(leased, stopping.signal)
      onFree()
    } catch (err) {
      log.warn({ err, webhookId: leased.id }, 'webhook delivery failed')
    } finally {
      deliveries -= 1
    }
  }

  const tidy = async () => {
    await deleteAbandoned(sql, { unverifiedSeconds: UNVERIFIED_SECONDS, pausedSeconds: PAUSED_SECONDS })
    await passOver(sql)
    tidyAt = performance.now() + TIDY_MS
  }

  /** Waits for a running delivery to the host, such as the test after its creation. */
  const leaseInTime = async (leased: Leased): Promise<boolean> => {
    const until = performance.now() + HOST_BUSY_MS
    while (!(await leaseOne(sql, leased))) {
      if (stopping.signal.aborted || performance.now() > until) return false
      await pause(HOST_POLL_MS)
    }
    return true
  }

  const testUnder = async (leased: Leased) => {
    if (!(await leaseInTime(leased))) return null
    try {
      const webhook = await renewLease(sql, leased)
      return webhook && (await sendTest(deps, leased, webhook, stopping.signal))
    } finally {
      await releaseLease(sql, leased)
      onFree()
    }
  }

  return {
    run: async () => {
      if (performance.now() >= tidyAt) await tidy()
      const free = AT_ONCE - deliveries
      if (free > 0 && !stopping.signal.aborted) {
        for (const leased of await leaseDue(sql, free, randomUUID())) void track(deliverTo(leased))
      }
      const seconds = await findNextAttempt(sql)
      return seconds === null ? POLL_MS : Math.min(POLL_MS, Math.ceil(seconds * 1000))
    },
    onFree: (listener) => {
      onFree = listener
    },
    test: (leased) => track(inTestTurn(() => testUnder(leased))),
    stop: async () => {
      stopping.abort()
      await Promise.allSettled(active)
    },
  }
}
