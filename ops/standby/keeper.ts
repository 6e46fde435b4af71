import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { Registry } from 'prom-client'
import { withQueryTimeout } from '../../api/db/query-timeout.ts'
import { createKeeperMetrics, type KeeperMetrics } from './keeper-metrics.ts'
import { lowerSessions } from './lower-sessions.ts'
import {
  endOverdueSessions,
  type OverdueSession,
  readStandbyState,
  resumeReplay,
  type SessionLimit,
} from './overdue-sessions.ts'
import { findServerPid, killSession, sharedBytesOf } from './server-process.ts'

export interface KeeperOptions {
  /**
   * URL of a database on the standby. The URL's login must have the right to end all sessions: a superuser, or a member
   * of `pg_signal_backend`.
   */
  url: string
  /**
   * Data directory of the standby on this machine. Null if the standby runs on another machine: the keeper then kills
   * no process and lowers no priority.
   */
  dataDirectory: string | null
  limits: readonly SessionLimit[]
  /**
   * Time in milliseconds that a session has to end after the keeper asked the session to end. If the session still runs
   * after this time, the keeper kills the session's process. Default: 5,000.
   */
  killAfterMs?: number
  /** Interval in milliseconds between two readings of the sessions. Default: 1,000. */
  intervalMs?: number
  /**
   * Maximum amount of shared memory that parallel queries may use together, in bytes. If they use more, every busy
   * session is ended. Default: 512 MiB.
   */
  maxSharedBytes?: number
  /** Prints one line for the operator. */
  log(line: string): void
  /** Registry for the keeper's metrics; absent if the metrics are not served. */
  registry?: Registry
  /** Runs when the standby answers, but has not received the write-ahead log of its primary for 15 seconds. */
  onDetached?(): void
}

export interface Keeper {
  /** Stops the keeper, and closes its connection. */
  stop(): Promise<void>
}

/** Time limits for the sessions of analysts, of the service, and of exports. */
export const defaultLimits: readonly SessionLimit[] = [
  { login: 'market_analyst', busySeconds: 60, idleSeconds: 60 },
  // The service keeps idle connections.
  { login: 'market_reader', busySeconds: 10, idleSeconds: null },
  // An export pauses the replay while it reads.
  { login: 'market_exporter', busySeconds: 1_800, idleSeconds: 1_800 },
]

/** Time limit of the keeper's own statements, in milliseconds. */
const STATEMENT_MS = 5_000
const DETACHED_MS = 15_000
const USUAL = 'the standby answers, and its old sessions are ended'

/**
 * Ends every session of a standby that exceeds its time limit: first by PostgreSQL's own functions, then by SIGKILL.
 * Keeps all limited sessions at the lowest priority. A session could change its own `statement_timeout`, but not the
 * keeper's limits.
 *
 * If an export ended and left the replay of the standby paused, the keeper resumes the replay. On a server that is not
 * a standby, the keeper does nothing. Example: `startKeeper({ url, dataDirectory: '/var/lib/postgresql/18/main',
 * limits: defaultLimits, log })`.
 */
export function startKeeper(options: KeeperOptions): Keeper {
  const { url, dataDirectory, limits, intervalMs = 1_000, maxSharedBytes = 512 * 1024 ** 2, log } = options
  const connection = { application_name: 'standby keeper', statement_timeout: STATEMENT_MS }
  const client = postgres(url, {
    max: 1,
    connect_timeout: 5,
    backoff: false,
    fetch_types: false,
    onnotice: () => {},
    connection,
  })
  const sql = withQueryTimeout(client, 2 * STATEMENT_MS)
  const leaveSessions =
    dataDirectory === null
      ? () => {}
      : lowerSessions(
          () => findServerPid(dataDirectory),
          limits.map(({ login }) => login),
        )
  const metrics = createKeeperMetrics(options.registry ?? new Registry(), dataDirectory)
  const end = createEnding(options, metrics)
  const tellChange = createChanges(log)
  const stopController = new AbortController()
  let detachedSince: number | null = null
  let isDetached = false

  const isFull = () => dataDirectory !== null && sharedBytesOf(dataDirectory) > maxSharedBytes
  const look = async (): Promise<string> => {
    const state = await readStandbyState(sql)
    const { isStandby, isStreaming, isPausedForNone } = state
    metrics.looked(state)
    if (!isStandby) return 'the server is no standby: no session is ended there'
    end(await endOverdueSessions(sql, isFull() ? limits.map(toBusyNow) : limits))
    const now = performance.now()
    detachedSince = isStreaming ? null : (detachedSince ?? now)
    const wasDetached = isDetached
    isDetached = detachedSince !== null && now - detachedSince >= DETACHED_MS
    if (isDetached && !wasDetached) options.onDetached?.()
    if (isPausedForNone) {
      await resumeReplay(sql)
      log('replay resumed: the export that had paused it is gone')
    }
    return isDetached ? 'the standby does not receive the log of its primary' : USUAL
  }
  const run = async () => {
    while (!stopController.signal.aborted) {
      const line = look().catch((error: unknown) => {
        metrics.looked(null)
        return `the standby does not answer: ${messageOf(error)}`
      })
      tellChange(await line)
      await delay(intervalMs, undefined, { signal: stopController.signal }).catch(() => {})
    }
  }
  const keeperRun = run()
  return {
    stop: async () => {
      stopController.abort()
      leaveSessions()
      await client.end({ timeout: 1 })
      await keeperRun
    },
  }
}

function toBusyNow(limit: SessionLimit): SessionLimit {
  return { ...limit, busySeconds: 0 }
}

/**
 * Creates a function whose argument is the list of the sessions that were asked to end. The function logs each session
 * once. If a session is still in the list `killAfterMs` after its first appearance, and the standby runs on this
 * machine (`dataDirectory`), the function kills the session's process.
 */
function createEnding({ dataDirectory, killAfterMs = 5_000, log }: KeeperOptions, metrics: KeeperMetrics) {
  let askedSessions = new Map<string, number>()
  return (overdueSessions: readonly OverdueSession[]) => {
    const before = askedSessions
    const now = performance.now()
    askedSessions = new Map()
    for (const session of overdueSessions) {
      const key = `${session.pid} ${session.connectedAt}`
      const since = before.get(key)
      askedSessions.set(key, since ?? now)
      const name = `session ${session.pid} of ${session.login}`
      if (since === undefined) {
        metrics.sessionEnded(session.login, 'asked')
        log(`${name} ended: ${session.state} for ${session.seconds} s`)
      } else if (now - since >= killAfterMs && dataDirectory !== null && killSession(dataDirectory, session.pid)) {
        metrics.sessionEnded(session.login, 'killed')
        log(`${name} killed: it did not end in ${killAfterMs / 1000} s; the standby starts again`)
      }
    }
  }
}

/**
 * Creates a function that logs a line only if it differs from the previous line. The first line is not logged if the
 * state is normal.
 */
function createChanges(log: (line: string) => void): (line: string) => void {
  let before = USUAL
  return (line) => {
    if (line !== before) log(line)
    before = line
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
