import type { Sql } from 'postgres'

/** How long a job may be late before its rows count: several of its intervals, and an outage, seconds. */
const GRACE_SECONDS = 300
const DAY = 86_400

/**
 * For each table with rows of limited life: which of them should be gone by now, with the retentions of the service.
 * @param fileSeconds FILE_RETENTION_SECONDS of the processes
 */
function overdueConditions(fileSeconds: number): Readonly<Record<string, string>> {
  const before = (seconds: number) => `now() - interval '${seconds + GRACE_SECONDS} seconds'`
  const files = `emptied_at < ${before(fileSeconds)} or (swept_at < ${before(0)} and emptied_at is null)`
  return {
    budgets: `ends_at < ${before(0)}`,
    gas_accounts: `ends_at < ${before(0)}`,
    intents: `status = 'reserved' and expires_at < ${before(0)}`,
    legal_challenges: `expires_at < ${before(DAY)}`,
    uploads: `${files} or (swept_at is null and intent_id is null and created_at < ${before(fileSeconds)})`,
    stored_files: `${files} or (swept_at is null and intent_id is null and created_at < ${before(fileSeconds)})`,
    byte_charges: `intent_id is null and created_at < ${before(Math.max(fileSeconds, DAY))}`,
    webhook_creations: `created_at < ${before(DAY)}`,
    webhooks: `status = 'unverified' and created_at < ${before(DAY)}`,
    keeper_calls: `claimed_at < ${before(30 * DAY)}`,
    operator_messages: `ended_at < ${before(30 * DAY)}`,
    event_reveals: `due < extract(epoch from ${before(0)})`,
    events: `block_timestamp < extract(epoch from ${before(30 * DAY)})`,
  }
}

/** Measures that a sample takes from the database. */
export interface DatabaseReading {
  /** Rows that should be gone, by table; those without any are left out. */
  overdue: Readonly<Record<string, number>>
  connections: number
  /** Age of the oldest open transaction, seconds. */
  oldestTransaction: number
  waitingForSearch: number
  unfinishedWrites: number
  /** Rows that the indexer keeps to take blocks back. */
  reorgRows: number
  /** Size of the whole database, MB. */
  databaseMb: number
}

export async function readDatabase(
  sql: Sql,
  { schema, fileSeconds }: { schema: string; fileSeconds: number },
): Promise<DatabaseReading> {
  const counts = Object.entries(overdueConditions(fileSeconds)).map(
    ([table, condition]) =>
      `select '${table}' as name, count(*)::int as count from service.${table} where ${condition}`,
  )
  const overdue = await sql.unsafe<{ name: string; count: number }[]>(counts.join(' union all '))
  const [row] = await sql<Omit<DatabaseReading, 'overdue' | 'reorgRows' | 'connections' | 'oldestTransaction'>[]>`
    select (select count(*)::int from service.task_search_pending) as "waitingForSearch",
      (select count(*)::int from service.intents
        where status in ('recorded', 'broadcast') or refund_status in ('pending', 'refunding')) as "unfinishedWrites",
      pg_database_size(current_database())::float8 / 1e6 as "databaseMb"`
  if (row === undefined) throw new Error('the database told nothing')
  return {
    ...row,
    ...(await readSessions(sql)),
    overdue: Object.fromEntries(overdue.filter(({ count }) => count > 0).map(({ name, count }) => [name, count])),
    reorgRows: await countReorgRows(sql, schema),
  }
}

/** Sessions of clients, at a primary or a standby. */
export async function readSessions(sql: Sql): Promise<Pick<DatabaseReading, 'connections' | 'oldestTransaction'>> {
  const [row] = await sql<{ connections: number; oldestTransaction: number }[]>`
    select count(*)::int as connections,
      coalesce(extract(epoch from now() - min(xact_start)), 0)::float8 as "oldestTransaction"
    from pg_stat_activity where backend_type = 'client backend'`
  if (row === undefined) throw new Error('the database told nothing')
  return row
}

async function countReorgRows(sql: Sql, schema: string): Promise<number> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = ${schema} and starts_with(tablename, '_reorg__')`
  if (tables.length === 0) return 0
  const [row] = await sql.unsafe<{ count: number }[]>(
    `select (${tables.map(({ name }) => `(select count(*) from ${name})`).join(' + ')})::int as count`,
  )
  return row?.count ?? 0
}

/** Bytes of the write-ahead log, MB. */
export async function readLogSize(sql: Sql): Promise<number> {
  const [row] = await sql<{ size: number }[]>`select sum(size)::float8 / 1e6 as size from pg_ls_waldir()`
  return row?.size ?? 0
}
