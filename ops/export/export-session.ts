import { setTimeout as delay } from 'node:timers/promises'
import { Client, type CustomTypesConfig, type QueryArrayConfig } from 'pg'
import type { TextRow } from '../../api/tabular/column-types.ts'
import { valueSettings } from '../../api/tabular/value-settings.ts'
import { hasOptionalTls } from '../../settings/pg-tls.ts'
import { checkSetting } from '../../settings/start-problems.ts'

/** The database session of one export at the analysts' standby. */
export interface ExportSession {
  /** Runs a statement. Each value in the result is the text that the server sent. */
  run(statement: string): Promise<{ rows: TextRow[] }>
  /**
   * Runs `work` in one transaction with a fixed snapshot, while the standby's replay is paused. The replay resumes in
   * any case, also if `work` throws.
   */
  withSnapshot<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Key of the advisory lock that an export holds while it reads or publishes. Each standby allows one export at a time.
 */
const EXPORT_LOCK = '4920271163'
const LOCK_POLL_MS = 2_000
const PAUSE_POLL_MS = 50
/** Time limit in milliseconds within which the standby must pause its replay of the primary's changes. */
const PAUSE_MS = 30_000

const settings = {
  ...valueSettings,
  default_transaction_read_only: 'on',
  client_connection_check_interval: '1000',
  jit: 'off',
  search_path: 'pg_catalog',
}

/** Options of an export's database session. */
export interface SessionOptions {
  /** URL of the standby, with the login `market_exporter`. */
  url: string
  /** True to wait until the open session of another export ends. False to fail if another export has a session. */
  waits: boolean
  signal: AbortSignal
}

/**
 * Opens a session at a standby, and closes the session after `work`. A standby allows one session at a time.
 * @throws if the server is not a standby, if the login may not pause the replay, or if `waits` is false and another
 * export runs
 */
export async function withExportSession<Result>(
  { url, waits, signal }: SessionOptions,
  work: (session: ExportSession) => Promise<Result>,
): Promise<Result> {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const client = new Client({
    connectionString: url,
    ...(hasOptionalTls() && { ssl: false }),
    application_name: 'task-market-export',
    connectionTimeoutMillis: 10_000,
    options: options.join(' '),
  })
  // The error also fails the waiting statement. Without a listener it would end the process.
  client.on('error', () => {})
  const run = (text: string) => readRows(client, text)
  try {
    await checkSetting('EXPORTER_DATABASE_URL', async () => {
      await client.connect()
      const [[isStandby = null] = []] = (await run('SELECT pg_is_in_recovery()')).rows
      if (isStandby !== 't') throw new Error("leads to a primary: exports read the analysts' standby")
    })
    while (!(await takeLock(run))) {
      if (!waits) throw new Error('another export runs at this standby: one runs at a time')
      await delay(LOCK_POLL_MS, undefined, { signal })
    }
    return await work({ run, withSnapshot: (read) => withSnapshot(run, read) })
  } finally {
    await client.end().catch(() => {})
  }
}

async function takeLock(run: ExportSession['run']): Promise<boolean> {
  return (await run(`SELECT pg_try_advisory_lock(${EXPORT_LOCK})`)).rows[0]?.[0] === 't'
}

async function withSnapshot<Result>(run: ExportSession['run'], work: () => Promise<Result>): Promise<Result> {
  try {
    await pauseReplay(run)
    await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await work()
  } finally {
    // After a lost session the keeper of the standby resumes the replay.
    await run('ROLLBACK').catch(() => {})
    await run('SELECT pg_wal_replay_resume()').catch(() => {})
  }
}

/**
 * Pauses the replay of the standby. A running replay could delete rows that the export's transaction reads, and would
 * then end the transaction.
 */
async function pauseReplay(run: ExportSession['run']): Promise<void> {
  await run('SELECT pg_wal_replay_pause()')
  const deadline = performance.now() + PAUSE_MS
  while ((await run('SELECT pg_get_wal_replay_pause_state()')).rows[0]?.[0] !== 'paused') {
    if (performance.now() > deadline) throw new Error('the replay of the standby did not pause')
    await delay(PAUSE_POLL_MS)
  }
}

interface RowsConfig extends QueryArrayConfig {
  values?: []
}

const asWritten: CustomTypesConfig = { getTypeParser: () => (value: string) => value }

async function readRows(client: Client, text: string): Promise<{ rows: TextRow[] }> {
  const config: RowsConfig = { text, rowMode: 'array', types: asWritten }
  const { rows } = await client.query<TextRow>(config)
  return { rows }
}
