import postgres from 'postgres'
import { retryOnLockTimeout } from './wait-for-locks.ts'

const UNDEFINED_TABLE = '42P01'

/**
 * Reads the generation: the number of times that the whole chain was indexed again to repair the rows. Each generation
 * has a schema of its own, because the schema's name contains a hash of the generation. The schema `market_index`
 * stores the generation.
 */
export async function readGeneration(sql: postgres.Sql): Promise<number> {
  try {
    const [row] = await sql<{ number: number }[]>`SELECT number FROM market_index.generation`
    return row?.number ?? 0
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === UNDEFINED_TABLE) return 0
    throw error
  }
}

/**
 * Stores this generation as the served one. The caller must be in the transaction that switches the views to the new
 * schema.
 * @throws OlderGeneration if a newer generation is served: an older indexer must not switch the views back
 */
export async function claimGeneration(sql: postgres.TransactionSql, generation: number): Promise<void> {
  // `IF NOT EXISTS` requires the right to create a schema even if it exists.
  const [schema] = await sql`SELECT to_regnamespace('market_index') IS NOT NULL AS exists`
  if (schema?.exists !== true) await sql`CREATE SCHEMA market_index`
  await sql`
    CREATE TABLE IF NOT EXISTS market_index.generation (
      is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
      number integer NOT NULL
    )`
  const claimedRows = await sql`
    INSERT INTO market_index.generation AS served (number) VALUES (${generation})
    ON CONFLICT (is_one) DO UPDATE SET number = excluded.number WHERE served.number <= excluded.number
    RETURNING number`
  if (claimedRows.length === 0) throw new OlderGeneration()
}

/**
 * Thrown when the rows of a newer generation are served: another indexer has indexed the whole chain again since this
 * indexer started.
 */
export class OlderGeneration extends Error {
  constructor() {
    super('the rows were indexed again by another indexer; start this one again to be its standby')
    this.name = 'OlderGeneration'
  }
}

/**
 * Tables in which Ponder caches the chain for later starts. A wrong answer of a node stays there until
 * `forgetCachedLogs` empties the tables.
 */
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
 * Deletes Ponder's cache of the chain: the next Ponder reads everything from the node. A running Ponder keeps the data
 * in memory.
 */
export async function forgetCachedLogs(sql: postgres.Sql): Promise<void> {
  // One statement empties all tables. Blocks that remained without their logs would count as blocks without events.
  await retryOnLockTimeout(sql, async (transaction) => {
    const tables = await transaction<{ name: string }[]>`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = to_regnamespace('ponder_sync') AND relname IN ${transaction(CACHE_TABLES)}`
    if (tables.length === 0) return
    const names = tables.map(({ name }) => `ponder_sync.${name}`)
    await transaction.unsafe(`TRUNCATE ${names.join(', ')}`)
  })
}
