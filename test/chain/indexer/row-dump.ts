import { createHash } from 'node:crypto'
import type postgres from 'postgres'

/**
 * Every row of a deployment's tables, as text in a fixed order, by table; and one hash of all of it. Two indexers that
 * read the same chain hold the same.
 */
export async function dumpRows(
  sql: postgres.Sql,
  schema: string,
): Promise<{ hash: string; rows: Map<string, string[]> }> {
  const tables = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = ${schema} AND table_type = 'BASE TABLE' AND NOT starts_with(table_name, '_')
    ORDER BY 1`
  const rows = new Map<string, string[]>()
  for (const { name } of tables) {
    const found = await sql<{ row: string }[]>`
      SELECT to_jsonb(t)::text AS row FROM ${sql(schema)}.${sql(name)} AS t ORDER BY to_jsonb(t)::text COLLATE "C"`
    rows.set(
      name,
      found.map(({ row }) => row),
    )
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([...rows]))
    .digest('hex')
  return { hash, rows }
}
