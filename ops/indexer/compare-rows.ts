import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'

/**
 * Time limit in milliseconds for the wait until two indexers of the same chain are at the same block. The wait is
 * usually short, because running indexers are often at the same block.
 */
const LONGEST_WAIT_MS = 30_000
const POLL_MS = 100

/**
 * The number of rows that differ in one table, counted in both schemas. A row differs if the other schema lacks an
 * equal row.
 */
export interface TableDifference {
  table: string
  rows: number
}

/**
 * Compares all rows of two schemas at the same block.
 * @returns the tables that differ; null if the schemas did not reach the same block within the time limit
 */
export async function compareRows(
  sql: postgres.Sql,
  schemas: { before: string; after: string },
): Promise<TableDifference[] | null> {
  const deadline = Date.now() + LONGEST_WAIT_MS
  do {
    const differences = await sql.begin('isolation level repeatable read read only', (snapshot) =>
      compareAtOneBlock(snapshot, schemas),
    )
    if (differences !== null) return differences
    await delay(POLL_MS)
  } while (Date.now() < deadline)
  return null
}

async function compareAtOneBlock(
  sql: postgres.TransactionSql,
  { before, after }: { before: string; after: string },
): Promise<TableDifference[] | null> {
  const [head] = await sql`
    SELECT (SELECT latest_checkpoint FROM ${sql(before)}._ponder_checkpoint)
         = (SELECT latest_checkpoint FROM ${sql(after)}._ponder_checkpoint) AS "isSame"`
  if (head?.isSame !== true) return null
  const tables = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables AS new_table
    WHERE table_schema = ${after} AND table_type IN ('BASE TABLE', 'VIEW') AND NOT starts_with(table_name, '_')
      AND EXISTS (SELECT FROM information_schema.tables WHERE table_schema = ${before} AND table_name = new_table.table_name)
    ORDER BY 1`
  const differences: TableDifference[] = []
  for (const { name } of tables) {
    const [row] = await sql<{ rows: number }[]>`
      SELECT count(*)::int AS rows FROM (
        (SELECT to_jsonb(t) FROM ${sql(before)}.${sql(name)} AS t EXCEPT ALL SELECT to_jsonb(t) FROM ${sql(after)}.${sql(name)} AS t)
        UNION ALL
        (SELECT to_jsonb(t) FROM ${sql(after)}.${sql(name)} AS t EXCEPT ALL SELECT to_jsonb(t) FROM ${sql(before)}.${sql(name)} AS t)
      ) AS difference`
    if (row !== undefined && row.rows > 0) differences.push({ table: name, rows: row.rows })
  }
  return differences
}
