import type postgres from 'postgres'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import { measureIndexWrites } from './index-writes.ts'

/** Indexes that are named. */
const NAMED = 15

/** Reads the sizes of all tables and indexes but those of Postgres itself, by task, and what indexes add to storing a row. */
export async function measureStorage(
  { size, sql }: { size: number; sql: postgres.Sql },
  random: () => number,
): Promise<Figure[]> {
  const [tables] = await sql<{ tableBytes: number; indexBytes: number }[]>`
    select sum(pg_table_size(c.oid))::float8 as "tableBytes", sum(pg_indexes_size(c.oid))::float8 as "indexBytes"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`
  const indexes = await sql<{ name: string; table: string; bytes: number }[]>`
    select i.relname as name, t.relname as table, pg_relation_size(i.oid)::float8 as bytes
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      join pg_namespace n on n.oid = t.relnamespace
    where n.nspname !~ '^pg_' order by bytes desc limit ${NAMED}`
  const perTask = (bytes: number | undefined) => Math.round(((bytes ?? 0) / size) * 10) / 10
  return [
    counted('tasks of the database', size),
    counted('bytes of tables a task', perTask(tables?.tableBytes)),
    counted('bytes of indexes a task', perTask(tables?.indexBytes)),
    ...indexes.map(({ name, table, bytes }) => counted(`bytes a task of ${table} ${name}`, perTask(bytes))),
    ...(await measureIndexWrites(sql, random)).map(({ name, table, microseconds }) =>
      estimated(`µs a row of ${table} ${name}`, microseconds),
    ),
  ]
}
