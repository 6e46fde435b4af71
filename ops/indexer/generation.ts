import type postgres from 'postgres'
import { retryOnLockTimeout } from './wait-for-locks.ts'

/**
 * How often the chain was indexed again to repair the rows. The number is part of the name of the schema, so that the rows
 * of the next generation are built beside those of the one before, and it is stored in a schema that
 * readers do not see.
 */
export async function readGeneration(sql: postgres.Sql): Promise<number> {
  const [table] = await sql`SELECT to_regclass('market_index.generation') IS NOT NULL AS exists`
  if (table?.exists !== true) return 0
  const [row] = await sql<{ number: number }[]>`SELECT number FROM market_index.generation`
  return row?.number ?? 0
}

/**
 * Makes this the generation that is served, in the transaction that moves the views.
 * @throws when a newer one is served: an older indexer must not take the views back
 */
export async function claimGeneration(sql: postgres.TransactionSql, generation: number): Promise<void> {
  // `IF NOT EXISTS` would ask for the right to create a schema even where it exists.
  const [schema] = await sql`SELECT to_regnamespace('market_index') IS NOT NULL AS exists`
  if (schema?.exists !== true) await sql`CREATE SCHEMA market_index`
  await sql`
    CREATE TABLE IF NOT EXISTS market_index.generation (
      is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
      number integer NOT NULL
    )`
  const claimed = await sql`
    INSERT INTO market_index.generation AS served (number) VALUES (${generation})
    ON CONFLICT (is_one) DO UPDATE SET number = excluded.number WHERE served.number <= excluded.number
    RETURNING number`
  if (claimed.length === 0) throw new OlderGeneration()
}

/** The rows were indexed again since this indexer started. */
export class OlderGeneration extends Error {
  constructor() {
    super('the rows were indexed again by another indexer; start this one again to be its standby')
    this.name = 'OlderGeneration'
  }
}

/** Tables in which Ponder keeps the chain for later starts; a node that answered wrongly would be believed for ever. */
const CACHE_TABLES = [
  'intervals',
  'factory_addresses',
  'logs',
  'blocks',
  'transactions',
  'transaction_receipts',
  'rpc_request_results',
]

/**
 * Makes the next Ponder ask the node for everything. One that runs keeps what it has read. All tables are emptied at once: it
 * commits logs together with the blocks that it has them of, and such blocks without their logs would be taken for empty ones.
 */
export async function forgetCachedLogs(sql: postgres.Sql): Promise<void> {
  await retryOnLockTimeout(sql, async (transaction) => {
    const tables = await transaction<{ name: string }[]>`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = to_regnamespace('ponder_sync') AND relname IN ${transaction(CACHE_TABLES)}`
    if (tables.length === 0) return
    const names = tables.map(({ name }) => `ponder_sync.${name}`)
    await transaction.unsafe(`TRUNCATE ${names.join(', ')}`)
  })
}
