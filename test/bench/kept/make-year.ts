import type postgres from 'postgres'
import { deleteChargesOfEndedTasks } from '../../../api/artifacts/byte-charges.queries.ts'
import type { Database } from '../../../api/db/client.ts'
import { FOLD_AFTER_DAYS, foldWrites } from '../../../api/intents/fold-writes.queries.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import type { Deployment } from '../../../scripts/contracts/deploy.ts'
import type { Progress } from '../../../scripts/stack/progress.ts'
import { type CopiedTable, NONCES_A_COPY, prepareCopies } from './copy-rows.ts'
import { measureTables, type Size } from './measure-tables.ts'

/** A year of a market, and what it takes. */
export interface Year {
  tasks: number
  writes: number
  events: number
  /** Tables of the service that a write leaves rows in, but for the texts of tasks, which the read model has. */
  service: Size[]
  /** Tables of the history that is served. */
  history: Size[]
}

export interface YearOptions {
  tasks: number
  /** The year is made in so many parts, each of which is aged and vacuumed. */
  parts: number
  deployment: Deployment
  /** The service's own connection, to age rows as it does. */
  service: Database
  progress: Progress
}

const YEAR_SECONDS = 365 * 86_400
/**
 * Changes of a write between its reservation and its finality: bound, broadcast, completed. After each the table is vacuumed: the
 * server does it once a hundredth of the rows is dead, which is one change of one part.
 */
const CHANGES = 3
const BATCH_SIZE = 2_000

/**
 * Makes rows of a year that ended a year ago, and ages each part at the time at which the service would have. The database must
 * have real ones, and no process that works on them.
 */
export async function makeYear(sql: postgres.Sql, options: YearOptions): Promise<Year> {
  const { tasks, parts, deployment, service: database, progress } = options
  const service = await listServiceTables(sql)
  const [history, task] = [await findIndexed(sql, '_task_history'), await findIndexed(sql, 'task')]
  const copied = await countRows(sql)
  const copies = Math.ceil(tasks / copied.tasks)
  const [start, stepSeconds] = [Date.now() - 2 * YEAR_SECONDS * 1_000, YEAR_SECONDS / copies]
  await makeFinal(sql, { task, nonces: copies * NONCES_A_COPY })
  const fixed = addressesOf(deployment)
  const copyRows = await prepareCopies(sql, [...service, history, task], { fixed, start: new Date(start), stepSeconds })
  // The rows that were copied would be counted too.
  await sql.unsafe(`truncate ${[...service, history, task].map(({ schema, name }) => `"${schema}"."${name}"`)} cascade`)
  // Finds the part that was made last; it is no index of the service.
  await sql`create index bench_made on service.intents (created_at)`
  for (let part = 0; part < parts; part += 1) {
    const [from, to] = [Math.round((part * copies) / parts), Math.round(((part + 1) * copies) / parts)]
    await copyRows({ from, to })
    for (let change = 0; change < CHANGES; change += 1) {
      await changeWrites(sql, YEAR_SECONDS / parts)
      await vacuum(sql, [{ schema: 'service', name: 'intents' }])
    }
    await ageRows(database, start + to * stepSeconds * 1_000)
    await vacuum(sql, service)
    if ((part + 1) % 10 !== 0) continue
    await sql`analyze`
    progress.say(`${to} of ${copies} copies`)
  }
  await sql`drop index service.bench_made`
  await ageRows(database, Date.now())
  await vacuum(sql, service)
  const made = await countRows(sql)
  if (made.writes !== copies * copied.writes || made.events !== copies * copied.events) {
    throw new Error(`of ${copies} copies of ${copied.writes} writes and ${copied.events} events some have the same key`)
  }
  return {
    ...made,
    service: await measureTables(sql, service),
    history: await measureTables(sql, [history]),
  }
}

/** Ages what is copied: it is final, its task over, and each relayer has signed more than all copies have. */
async function makeFinal(sql: postgres.Sql, { task, nonces }: { task: CopiedTable; nonces: number }): Promise<void> {
  await sql`set session_replication_role = replica`
  await sql`update service.intents set watched = false`
  await sql`update service.relayers set next_nonce = next_nonce + ${nonces}`
  await sql.unsafe(`update "${task.schema}"."${task.name}" set ended_at = 1`)
  await sql`set session_replication_role = origin`
}

/** Ages rows as the service does at a moment of the past, milliseconds since the epoch. */
async function ageRows(database: Database, moment: number): Promise<void> {
  const afterDays = FOLD_AFTER_DAYS + (Date.now() - moment) / 86_400_000
  while ((await foldWrites(database, { limit: BATCH_SIZE, afterDays })) > 0);
  while ((await deleteChargesOfEndedTasks(database, { limit: BATCH_SIZE })) > 0);
}

async function vacuum(sql: postgres.Sql, tables: readonly CopiedTable[]): Promise<void> {
  for (const { schema, name } of tables) await sql.unsafe(`vacuum "${schema}"."${name}"`)
}

/** Changes the newest writes as the service does: a column of an index, so that each index gets another entry. */
async function changeWrites(sql: postgres.Sql, seconds: number): Promise<void> {
  await sql`
    update service.intents set block_number = block_number + 1
    where created_at > (select max(created_at) from service.intents) - make_interval(secs => ${seconds}::float8)`
}

async function countRows(sql: postgres.Sql): Promise<Pick<Year, 'tasks' | 'writes' | 'events'>> {
  const [counted] = await sql<{ tasks: number; writes: number; events: number }[]>`
    select (select count(*) from market.task)::float8 as tasks, (select count(*) from service.intents)::float8 as writes,
      (select count(*) from market.task_event)::float8 as events`
  if (counted === undefined) throw new Error('a select without a table has one row')
  return counted
}

/** Tables that have a row of a write, without the texts of tasks: `npm run bench -- reads` has them in its rows. */
async function listServiceTables(sql: postgres.Sql): Promise<CopiedTable[]> {
  return await sql<CopiedTable[]>`
    select 'service' as schema, relname as name from pg_class c
    where relnamespace = 'service'::regnamespace and relkind = 'r' and relname <> 'task_content'
      and (relname in ('intents', 'artifacts')
        or exists (select from pg_attribute where attrelid = c.oid and attname = 'intent_id' and not attisdropped))
    order by relname`
}

/** A table of the deployment of the indexer that is served. */
async function findIndexed(sql: postgres.Sql, name: string): Promise<CopiedTable> {
  const [table] = await sql<CopiedTable[]>`
    select nspname as schema, relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname like 'idx%' and relname = ${name} and relkind = 'r'`
  if (table === undefined) throw new Error(`the indexer has no table ${name}`)
  return table
}

function addressesOf(deployment: Deployment): string[] {
  const addresses = Object.values(deployment).filter((value) => /^0x[0-9a-f]{40}$/i.test(String(value)))
  return [...addresses, ...devRelayers().map(({ account }) => account.address)].map((value) =>
    String(value).toLowerCase(),
  )
}
