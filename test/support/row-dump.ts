import { createHash } from 'node:crypto'
import type postgres from 'postgres'

/** Every row of a schema's tables as text, in a fixed order, and one hash of all rows. */
export interface RowDump {
  hash: string
  tables: Map<string, string[]>
}

/**
 * Two indexers that read the same chain have the same rows. Ponder's own tables, whose names begin with `_`, are excluded.
 */
export async function dumpRows(sql: postgres.Sql, schema: string): Promise<RowDump> {
  const names = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = ${schema} and table_type = 'BASE TABLE' and not starts_with(table_name, '_')
    order by 1`
  const tables = new Map<string, string[]>()
  for (const { name } of names) {
    const rows = await sql<{ row: string }[]>`
      select to_jsonb(t)::text as row from ${sql(schema)}.${sql(name)} as t order by to_jsonb(t)::text collate "C"`
    tables.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return {
    hash: createHash('sha256')
      .update(JSON.stringify([...tables]))
      .digest('hex'),
    tables,
  }
}
