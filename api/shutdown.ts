import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Deps } from './deps.ts'
import type { Loops } from './loops/start-loops.ts'

/** What runs in a process of the service. */
export interface RunningService {
  deps: Deps
  loops: Loops
  /** The listener of requests; others (metrics) close last. */
  server: Server
  otherServers: readonly Server[]
}

/** Shares of SHUTDOWN_MS after which a step is left as it is, and the next one begins. */
const REQUESTS_SHARE = 0.5
const LOOPS_SHARE = 0.9

/**
 * Ends a process without losing a write: `/ready` says 503 while requests are still taken (a balancer looks seldom),
 * then nothing is accepted any more, requests that wait for an outcome answer `intent_in_flight`, the transaction in
 * progress is signed and sent, and the connections close. What is left then stands in the tables, for the next process.
 */
export async function shutDown({ deps, loops, server, otherServers }: RunningService): Promise<void> {
  const { config, log, observe, writes, sql } = deps
  observe.readiness.drain()
  await pause(config.SHUTDOWN_DRAIN_MS)

  const start = performance.now()
  const left = (share: number) => Math.max(0, start + config.SHUTDOWN_MS * share - performance.now())
  const within = async (step: string, share: number, work: Promise<unknown>): Promise<boolean> => {
    const isDone = await settledWithin(work, left(share))
    if (!isDone) log.warn({ step }, 'a step of the end took too long and was left')
    return isDone
  }

  const answered = promisify(server.close.bind(server))()
  server.closeIdleConnections()
  const stopped = writes.stop()
  // A client that sends its body drop by drop ends with its connection.
  if (!(await within('requests', REQUESTS_SHARE, answered))) server.closeAllConnections()
  await within('waits', REQUESTS_SHARE, stopped)
  await within('loops', LOOPS_SHARE, loops.stop())
  for (const other of otherServers) {
    other.close()
    other.closeAllConnections()
  }
  await within('database', 1, sql.end({ timeout: left(1) / 1000 }))
  log.info('ended')
}

/** Whether `work` ended in time, well or not: what fails while everything ends is over too. */
async function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const waiting = new AbortController()
  const settled = work.then(
    () => true,
    () => true,
  )
  const late = pause(milliseconds, false, { signal: waiting.signal }).catch(() => false)
  const isDone = await Promise.race([settled, late])
  waiting.abort()
  return isDone
}
