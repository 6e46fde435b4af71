import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { withQueryTimeout } from '../../api/db/query-timeout.ts'
import { describeError } from './describe-error.ts'

/** Longest wait for the database, milliseconds: a watchdog that waits without end does not watch. */
export const LONGEST_WAIT_MS = 15_000

export interface IndexerLock {
  /**
   * The session that has the lock, as `<process id>/<start>` of the server; another one after a lost connection. Null: it
   * was lost, and another process has it now.
   */
  findSession(): Promise<string | null>
  /** Gives the session up for a new one, and waits for the lock there: the old one may be on a server that was replaced. */
  renew(): Promise<void>
  release(): Promise<void>
}

export interface LockOptions {
  schema: string
  log: (line: string) => void
  /** Called when another indexer has the lock; what it returns is called when the wait is over. */
  whileWaiting?: () => Promise<() => Promise<void>>
  /** Longest wait for an answer of the database. Default 15 s. */
  longestWaitMs?: number
}

/**
 * Waits until this process alone may run the indexer of `schema`. The lock lives as long as a database connection, so
 * it ends with its holder; a second supervisor waits here as a standby.
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
    // Taking it again is harmless while it is ours, and takes it back after a lost connection.
    findSession: () => takeIndexerLock(sql, schema),
    renew: async () => {
      await sql.end({ timeout: 5 })
      sql = await open()
    },
    release: () => sql.end({ timeout: 5 }),
  }
}

/** A database that is away comes back, often as another server: then a standby is needed. */
async function waitForLock(sql: postgres.Sql, { schema, log }: Pick<LockOptions, 'schema' | 'log'>): Promise<void> {
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

/** One connection that is never renewed: with it the lock would go. No statement on it has an array. */
function openSession(databaseUrl: string, longestWaitMs: number): postgres.Sql {
  const settings = { max: 1, idle_timeout: 0, max_lifetime: null, onnotice: () => {}, fetch_types: false }
  return withQueryTimeout(postgres(databaseUrl, settings), longestWaitMs)
}

/** Takes the lock for the session of `sql`, which has one connection. @returns the session; null: another one has the lock */
export async function takeIndexerLock(sql: postgres.Sql, schema: string): Promise<string | null> {
  const [row] = await sql<{ taken: boolean; session: string }[]>`
    SELECT pg_try_advisory_lock(hashtextextended(${`indexer ${schema}`}, 0)) AS taken,
           pg_backend_pid() || '/' || extract(epoch FROM backend_start) AS session
    FROM pg_stat_get_activity(pg_backend_pid())`
  return row?.taken === true ? row.session : null
}

/**
 * Makes a schema startable at once after its Ponder died without unlocking it (Ponder would wait until the last
 * heartbeat is 25 s old). Only for the holder of the indexer lock; while a Ponder is still connected nothing happens.
 */
export async function releaseDeadPonder(sql: postgres.Sql, schema: string): Promise<void> {
  const [tables] = await sql`SELECT to_regclass(${`${schema}._ponder_meta`}) IS NOT NULL AS exist`
  if (tables?.exist !== true) return
  const deadline = Date.now() + 10_000
  while ((await isPonderConnected(sql, schema)) && Date.now() < deadline) await delay(50)
  if (await isPonderConnected(sql, schema)) return
  await sql`UPDATE ${sql(schema)}._ponder_meta SET value = jsonb_set(value, '{is_locked}', '0') WHERE key = 'app'`
}

/** Ponder names its connections after the schema it writes. */
export async function isPonderConnected(sql: postgres.Sql, schema: string): Promise<boolean> {
  const names = ['internal', 'user', 'readonly'].map((pool) => `${schema}_${pool}`)
  const [row] =
    await sql`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name IN ${sql(names)}) AS connected`
  return row?.connected === true
}
