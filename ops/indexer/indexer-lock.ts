import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { withQueryTimeout } from '../../api/db/query-timeout.ts'
import { describeError } from './describe-error.ts'

/**
 * Default time limit for an answer of the database, in milliseconds. Without the limit, the watchdog could wait
 * forever.
 */
export const LONGEST_WAIT_MS = 15_000

export interface IndexerLock {
  /**
   * Returns the database session that holds the lock, as `<process id>/<start>`. After a lost connection, first takes
   * the lock again in a new session. Returns null if another process holds the lock.
   */
  findSession(): Promise<string | null>
  /**
   * Ends the session, and takes the lock in a new session. Waits if another process holds the lock. Call this function
   * if the database server may have been replaced: the session may then belong to the earlier server.
   */
  renew(): Promise<void>
  release(): Promise<void>
}

export interface LockOptions {
  schema: string
  log: (line: string) => void
  /** Runs when another indexer holds the lock. Returns a function that runs when the wait ends. */
  whileWaiting?: () => Promise<() => Promise<void>>
  /** Time limit for an answer of the database, in milliseconds. Default: 15,000. */
  longestWaitMs?: number
}

/**
 * Waits until no other process runs the indexer of `schema`, and takes the lock. The lock belongs to one database
 * connection of this process, and ends with the connection. While this process waits for the lock, this process is
 * called a standby.
 */
export async function acquireIndexerLock(
  databaseUrl: string,
  { schema, log, whileWaiting, longestWaitMs = LONGEST_WAIT_MS }: LockOptions,
): Promise<IndexerLock> {
  const open = async () => {
    const sql = openSession(databaseUrl, longestWaitMs)
    try {
      if ((await takeIndexerLock(sql, schema)) !== null) return sql
      log(`another indexer runs ${schema}; waiting for its end`)
      const endWaiting = await whileWaiting?.()
      try {
        await waitForLock(sql, { schema, log })
      } finally {
        await endWaiting?.()
      }
      return sql
    } catch (error) {
      await sql.end({ timeout: 5 })
      throw error
    }
  }
  let sql = await open()
  return {
    // Taking the lock again is harmless while this session holds it, and restores it after a lost connection.
    findSession: () => takeIndexerLock(sql, schema),
    renew: async () => {
      await sql.end({ timeout: 5 })
      sql = await open()
    },
    release: () => sql.end({ timeout: 5 }),
  }
}

/** Waits until another indexer has released the lock. Continues to wait while the database is unreachable. */
async function waitForLock(sql: postgres.Sql, { schema, log }: Pick<LockOptions, 'schema' | 'log'>): Promise<void> {
  // After an outage, the database may be another server, at which this standby is needed.
  let isAway = false
  for (;;) {
    await delay(500)
    try {
      if ((await takeIndexerLock(sql, schema)) !== null) return
      isAway = false
    } catch (error) {
      if (!isAway) log(`the database does not answer (${describeError(error)}); still waiting`)
      isAway = true
    }
  }
}

/**
 * Opens a single connection that is never renewed, because the lock ends with the connection. Statements on the
 * connection must not contain arrays: the client does not load array types.
 */
function openSession(databaseUrl: string, longestWaitMs: number): postgres.Sql {
  const settings = { max: 1, idle_timeout: 0, max_lifetime: null, onnotice: () => {}, fetch_types: false }
  return withQueryTimeout(postgres(databaseUrl, settings), longestWaitMs)
}

/**
 * Tries to take the lock for the session of `sql`, which must have exactly one connection.
 * @returns the session, `<process id>/<start>`; null if another session holds the lock
 */
export async function takeIndexerLock(sql: postgres.Sql, schema: string): Promise<string | null> {
  const [row] = await sql<{ taken: boolean; session: string }[]>`
    SELECT pg_try_advisory_lock(hashtextextended(${`indexer ${schema}`}, 0)) AS taken,
           pg_backend_pid() || '/' || extract(epoch FROM backend_start) AS session
    FROM pg_stat_get_activity(pg_backend_pid())`
  return row?.taken === true ? row.session : null
}

/**
 * Releases Ponder's own lock on a schema after Ponder has died. Without the release, a new Ponder waits until the last
 * heartbeat is 25 seconds old. Does nothing while a Ponder is connected. The caller must hold the indexer lock.
 */
export async function releaseDeadPonder(sql: postgres.Sql, schema: string): Promise<void> {
  const [tables] = await sql`SELECT to_regclass(${`${schema}._ponder_meta`}) IS NOT NULL AS exist`
  if (tables?.exist !== true) return
  const deadline = Date.now() + 10_000
  while ((await isPonderConnected(sql, schema)) && Date.now() < deadline) await delay(50)
  if (await isPonderConnected(sql, schema)) return
  await sql`UPDATE ${sql(schema)}._ponder_meta SET value = jsonb_set(value, '{is_locked}', '0') WHERE key = 'app'`
}

/**
 * Returns true while a Ponder is connected to the database for this schema. The names of Ponder's connections begin
 * with the schema.
 */
export async function isPonderConnected(sql: postgres.Sql, schema: string): Promise<boolean> {
  const names = ['internal', 'user', 'readonly'].map((pool) => `${schema}_${pool}`)
  const [row] =
    await sql`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name IN ${sql(names)}) AS connected`
  return row?.connected === true
}
