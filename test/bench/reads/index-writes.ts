import type postgres from 'postgres'
import { type Estimate, estimateMedian } from '../figures/statistics.ts'

/** What an index adds to the time of storing a row of its table. */
export interface IndexWrite {
  name: string
  table: string
  microseconds: Estimate
}

/** Tables that lists read, with their keys; their indexes that are no keys are measured. */
const TABLES = { task: 'id', award: 'id', task_search: 'task_id' } as const
/** Rows of one insertion at most: copies of some that are there, newer than all others. */
const MAX_ROWS = 1_000
/** Insertions with and without an index, one after the other. */
const PAIRS = 7

/** Stores rows with every index and without each of them in turn, in transactions that are rolled back. */
export async function measureIndexWrites(sql: postgres.Sql, random: () => number): Promise<IndexWrite[]> {
  const session = await sql.reserve()
  try {
    await session.unsafe('set statement_timeout = 0; set transaction_timeout = 0')
    const measured: IndexWrite[] = []
    for (const [table, key] of Object.entries(TABLES)) {
      const name = await nameOf(session, table)
      const rows = await makeRows(session, name, key)
      for (const index of await listIndexes(session, name)) {
        const differences: number[] = []
        for (let pair = 0; pair < PAIRS; pair += 1) {
          const order = pair % 2 === 0 ? [null, index] : [index, null]
          const times = new Map<string | null, number>()
          for (const dropped of order) times.set(dropped, await timeOf(session, { name, dropped }))
          differences.push((((times.get(null) ?? 0) - (times.get(index) ?? 0)) * 1_000) / rows)
        }
        measured.push({
          name: index.replace(/^.*\./, '').replaceAll('"', ''),
          table,
          microseconds: estimateMedian(differences, random),
        })
      }
      await session.unsafe('drop table made')
    }
    return measured.toSorted((one, other) => other.microseconds.median - one.microseconds.median)
  } finally {
    session.release()
  }
}

async function nameOf(session: postgres.ReservedSql, table: string): Promise<string> {
  const [found] = await session<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relname = ${table} and relkind = 'r' and relnamespace::regnamespace::text not like 'pg_temp%'`
  if (found === undefined) throw new Error(`there is no table ${table}`)
  return found.name
}

/** Rows that are not there yet, as `made`; how many. */
async function makeRows(session: postgres.ReservedSql, name: string, key: string): Promise<number> {
  const time = name.endsWith('award') ? 'task_created_at_ms' : 'created_at_ms'
  await session.unsafe(`create temp table made as select * from ${name} tablesample system (20) limit ${MAX_ROWS}`)
  await session.unsafe(`update made set ${key} = '0x' || md5(random()::text) || md5(random()::text)`)
  const { count } = await session.unsafe(`
    update made set ${time} = newest.at + numbered.place
    from (select max(${time}) as at from ${name}) as newest,
      (select ctid as row, row_number() over () as place from made) as numbered
    where made.ctid = numbered.row`)
  if (count === 0) throw new Error(`no row of ${name} to copy`)
  return count
}

/** Those that no constraint needs. */
async function listIndexes(session: postgres.ReservedSql, name: string): Promise<string[]> {
  const found = await session<{ name: string }[]>`
    select x.indexrelid::regclass::text as name from pg_index x
    where x.indrelid = ${name}::regclass
      and not exists (select from pg_constraint where conindid = x.indexrelid)
    order by 1`
  return found.map(({ name }) => name)
}

/** Milliseconds of one insertion without an index. */
async function timeOf(
  session: postgres.ReservedSql,
  { name, dropped }: { name: string; dropped: string | null },
): Promise<number> {
  await session.unsafe('begin')
  try {
    if (dropped !== null) await session.unsafe(`drop index ${dropped}`)
    const start = performance.now()
    await session.unsafe(`insert into ${name} select * from made`)
    return performance.now() - start
  } finally {
    await session.unsafe('rollback')
  }
}
