import type postgres from 'postgres'
import type { CopiedTable } from './copy-rows.ts'

/** Bytes of a table or of one of its indexes. */
export interface Size {
  /** Example: `intents`, or `intents intents_pkey`. */
  name: string
  bytes: number
}

/** Reads the bytes of tables, with their long values, and of each of their indexes; largest first. */
export async function measureTables(sql: postgres.Sql, tables: readonly CopiedTable[]): Promise<Size[]> {
  const names = tables.map(({ schema, name }) => `${schema}.${name}`)
  return await sql<Size[]>`
    with measured as (select name::regclass as id from unnest(${names}::text[]) as name)
    select relname as name, pg_table_size(c.oid)::float8 as bytes from pg_class c join measured on measured.id = c.oid
    union all
    select t.relname || ' ' || i.relname, pg_relation_size(i.oid)::float8
    from measured join pg_index x on x.indrelid = measured.id
      join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    order by bytes desc`
}
