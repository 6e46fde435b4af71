import { setTimeout as delay } from 'node:timers/promises'
import { Client, type CustomTypesConfig, type QueryArrayConfig } from 'pg'
import type { TextRow } from '../../api/tabular/column-types.ts'
import { valueSettings } from '../../api/tabular/value-settings.ts'
import { hasOptionalTls } from '../../settings/pg-tls.ts'
import { checkSetting } from '../../settings/start-problems.ts'

/** The session of an export at the analysts' standby. */
export interface ExportSession {
  /** Runs a statement. Values keep the text of the server. */
  run(statement: string): Promise<{ rows: TextRow[] }>
  /** Runs `work` on one state of the rows while the replay is paused. The replay resumes in any case. */
  withSnapshot<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Lock of all exports at a standby during reading and publishing. */
const EXPORT_LOCK = '4920271163'
const LOCK_POLL_MS = 2_000
const PAUSE_POLL_MS = 50
/** Time limit for pausing the replay, milliseconds. */
const PAUSE_MS = 30_000

const settings = {
  ...valueSettings,
  default_transaction_read_only: 'on',
  client_connection_check_interval: '1000',
  jit: 'off',
  search_path: 'pg_catalog',
}

/** Options of an export's session. */
export interface SessionOptions {
  /** URL of the standby with the login `market_exporter`. */
  url: string
  /** True to wait for the end of another export's session; false to fail while one is open. */
  waits: boolean
  signal: AbortSignal
}

/**
 * Opens a session at a standby, and closes it after `work`. A standby has one such session at a time.
 * @throws if the server is no standby, if the login may not pause its replay, or if another export runs
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

/** Pauses the replay. Otherwise rows that it removes would end the transaction that reads them. */
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
