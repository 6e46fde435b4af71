import type postgres from 'postgres'

/**
 * Drops the views of the schema `analytics` (api/db/analytics), which read the views of `market`. PostgreSQL cannot
 * replace a `market` view that another view reads.
 */
export async function dropAnalytics(sql: postgres.TransactionSql): Promise<void> {
  // No deadlock: a reader of an `analytics` view locks this view before the `market` views.
  if (await hasAnalytics(sql)) await sql`SELECT service.drop_analytics()`
}

/**
 * Creates the views of `analytics` again from the definitions that the service stored.
 * @returns a sentence for each omitted view. A view is omitted if the deployment lacks a table or column that the view
 * reads.
 */
export async function makeAnalytics(sql: postgres.TransactionSql): Promise<string[]> {
  if (!(await hasAnalytics(sql))) return []
  const rows = await sql<{ leftOut: string }[]>`SELECT service.make_analytics() AS "leftOut"`
  return rows.map(({ leftOut }) => leftOut)
}

/** Returns true if the schema `analytics` and the service's functions for its views exist. */
async function hasAnalytics(sql: postgres.TransactionSql): Promise<boolean> {
  const rows = await sql`
    SELECT FROM pg_proc
    WHERE pronamespace = to_regnamespace('service') AND proname IN ('drop_analytics', 'make_analytics')
      AND to_regnamespace('analytics') IS NOT NULL`
  return rows.length === 2
}
