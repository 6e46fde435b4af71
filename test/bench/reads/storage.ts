import type postgres from 'postgres'
import { type IndexWrite, measureIndexWrites } from './index-writes.ts'

/** What one index takes. */
export interface IndexSize {
  name: string
  table: string
  /** For each task of the database. */
  bytesPerTask: number
}

/** What a database of so many tasks takes on disk, bytes for each task. */
export interface StorageResult {
  tasks: number
  /** Of all tables of the indexer and the service, with their long values. */
  tableBytesPerTask: number
  indexBytesPerTask: number
  /** Largest first. */
  largestIndexes: IndexSize[]
  /** Dearest first. */
  indexWrites: IndexWrite[]
}

/** Indexes that are named. */
const NAMED = 15

/** Reads the sizes of all tables and indexes but those of Postgres itself. */
export async function measureStorage(
  { size, sql }: { size: number; sql: postgres.Sql },
  random: () => number,
): Promise<StorageResult> {
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
  return {
    tasks: size,
    tableBytesPerTask: perTask(tables?.tableBytes),
    indexBytesPerTask: perTask(tables?.indexBytes),
    largestIndexes: indexes.map(({ name, table, bytes }) => ({ name, table, bytesPerTask: perTask(bytes) })),
    indexWrites: await measureIndexWrites(sql, random),
  }
}
