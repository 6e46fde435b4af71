import type postgres from 'postgres'

/** Facts about the views of `market`, stored in the transaction that creates the views. */
export interface ServedViews {
  /** Hash of the source code that defines the views. */
  madeFrom: string
  /** The lowest data version of a service that may read the views. */
  oldestVersion: number
}

/** Returns the stored facts about the views; null if no views were created yet. */
export async function findServedViews(sql: postgres.Sql): Promise<ServedViews | null> {
  const [table] = await sql`SELECT to_regclass('market_index.served_views') IS NOT NULL AS exists`
  if (table?.exists !== true) return null
  const [row] = await sql<ServedViews[]>`
    SELECT made_from AS "madeFrom", oldest_version AS "oldestVersion" FROM market_index.served_views`
  return row ?? null
}

/**
 * Stores the facts about the views, in the transaction that creates the views. `claimGeneration` (generation.ts) must
 * have created the schema `market_index` before.
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
