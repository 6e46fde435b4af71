import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { withTimeout } from './concurrency/with-timeout.ts'
import type { Deps } from './deps.ts'
import { finishedRequests } from './server/http-server.ts'
import type { Loops } from './start-loops.ts'

/** The running parts of a process. */
export interface RunningService {
  deps: Deps
  loops: Loops
  /**
   * The server of HTTP requests, which is closed first. `otherServers`, such as the server of the metrics, are closed
   * after the background loops have ended.
   */
  server: Server
  otherServers: readonly Server[]
}

/**
 * The shares of SHUTDOWN_MS after which an unfinished step of the shutdown is abandoned. The steps are the answers to
 * requests, the handlers of requests, and the loops. Each share counts from the end of the drain.
 */
const REQUESTS_SHARE = 0.5
const HANDLERS_SHARE = 0.6
const LOOPS_SHARE = 0.9

/**
 * Ends a process without losing a write. First `/ready` answers 503 while requests are still accepted, because load
 * balancers read it only at intervals. Then no new request is accepted, and writes that wait for their outcome are
 * answered `intent_in_flight`. Each loop finishes the run that has begun, and the connections are closed. The remaining
 * work is stored in the tables, and another process continues it.
 */
export async function shutDown({ deps, loops, server, otherServers }: RunningService): Promise<void> {
  const { config, log, observe, writes, sql } = deps
  observe.readiness.drain()
  await pause(config.SHUTDOWN_DRAIN_MS)

  const start = performance.now()
  const remainingMs = (share: number) => Math.max(0, start + config.SHUTDOWN_MS * share - performance.now())
  const end = async (step: string, share: number, work: Promise<unknown>): Promise<boolean> => {
    // A step that fails during the end has ended too.
    const isDone = (await withTimeout(Promise.allSettled([work]), remainingMs(share))) !== null
    if (!isDone) log.warn({ step }, 'shutdown step abandoned')
    return isDone
  }

  deps.longPolls.stop()
  await end('streams', REQUESTS_SHARE, deps.events.stop())
  const serverClose = promisify(server.close.bind(server))()
  server.closeIdleConnections()
  const writesStop = writes.stop()
  // A client that sends its body too slowly ends with its connection.
  if (!(await end('requests', REQUESTS_SHARE, serverClose))) server.closeAllConnections()
  await end('waits', REQUESTS_SHARE, writesStop)
  // An upload whose connection ended deletes its stored bytes.
  await end('handlers', HANDLERS_SHARE, finishedRequests(server))
  await end('loops', LOOPS_SHARE, loops.stop())
  for (const other of otherServers) {
    other.close()
    other.closeAllConnections()
  }
  await end('hashing', 1, deps.hasher.stop())
  await end('analytics', 1, deps.analytics.stop())
  await end('database', 1, sql.end({ timeout: remainingMs(1) / 1000 }))
  await end('traces', 1, deps.observe.tracing.stop())
  log.info('ended')
}
