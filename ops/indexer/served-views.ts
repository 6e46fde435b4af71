import type postgres from 'postgres'

/** What the views of `market` are: stored by the switch that made them. */
export interface ServedViews {
  /** A hash of what they were made from. */
  madeFrom: string
  /** The oldest data version of a service that may read them. */
  oldestVersion: number
}

/** Returns what the last switch stored; null before the first one. */
export async function findServedViews(sql: postgres.Sql): Promise<ServedViews | null> {
  const [table] = await sql`SELECT to_regclass('market_index.served_views') IS NOT NULL AS exists`
  if (table?.exists !== true) return null
  const [row] = await sql<ServedViews[]>`
    SELECT made_from AS "madeFrom", oldest_version AS "oldestVersion" FROM market_index.served_views`
  return row ?? null
}

/**
 * Stores it in the transaction that makes the views. The schema is that of the generation (generation.ts), which the
 * transaction claims first: readers do not see it.
 */
export async function storeServedViews(sql: postgres.TransactionSql, views: ServedViews): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS market_index.served_views (
      is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
      made_from text NOT NULL,
      oldest_version integer NOT NULL
    )`
  await sql`
    INSERT INTO market_index.served_views (made_from, oldest_version) VALUES (${views.madeFrom}, ${views.oldestVersion})
    ON CONFLICT (is_one) DO UPDATE SET made_from = excluded.made_from, oldest_version = excluded.oldest_version`
}
