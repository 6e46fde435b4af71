import type postgres from 'postgres'

/** The facts of the views of `market`, stored by the switch that created them. */
export interface ServedViews {
  /** Hash of the sources of the views. */
  madeFrom: string
  /** Oldest data version of a service that may read them. */
  oldestVersion: number
}

/** Returns the facts of the last switch; null: there was none. */
export async function findServedViews(sql: postgres.Sql): Promise<ServedViews | null> {
  const [table] = await sql`SELECT to_regclass('market_index.served_views') IS NOT NULL AS exists`
  if (table?.exists !== true) return null
  const [row] = await sql<ServedViews[]>`
    SELECT made_from AS "madeFrom", oldest_version AS "oldestVersion" FROM market_index.served_views`
  return row ?? null
}

/**
 * Stores the facts in the transaction that creates the views. The schema is that of the generation (generation.ts), which the
 * transaction claims first and readers do not see.
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
