import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { databaseUrlOf, hasDatabase, withConnection } from '../postgres/postgres-databases.ts'
import { type Anvil, readHead } from './anvil.ts'
import { type ChainInstance, databaseNameOf, hasState } from './chain-instance.ts'

export interface Present {
  serverUrl: string
  /** URL of the server without its password, as in `ChainInstance`. */
  server: string
  /** The `deploymentKey` of the current contracts and scripts. */
  deploymentKey: string
  isForked: boolean
}

/**
 * Finds a reason why the last chain and its tables cannot be continued. Checks only what can be known before the chain
 * runs.
 * @returns the reason in words; null if there is none
 */
export async function findObstacle(instance: ChainInstance, presentFacts: Present): Promise<string | null> {
  if (presentFacts.isForked) return 'a copy of Base is always made anew'
  if (instance.deploymentKey !== presentFacts.deploymentKey) return 'the contracts have changed'
  if (instance.server !== presentFacts.server) return 'the database server is another'
  if (!hasState(instance.id)) return 'the last chain was not saved'
  const name = databaseNameOf(instance.id)
  if (!(await hasDatabase(presentFacts.serverUrl, name))) return `the database ${name} is gone`
  const changedMigration = await withConnection(databaseUrlOf(presentFacts.serverUrl, name), findChangedMigration)
  return changedMigration === null ? null : `${changedMigration} has changed since it was applied`
}

/**
 * Finds out why a loaded chain is not the chain that the tables were built from. The newest recorded block and the
 * newest indexed block must be on the loaded chain.
 * @returns the reason in words; null if it is the same chain
 */
export async function findDivergence(
  instance: ChainInstance,
  { anvil, databaseUrl }: { anvil: Anvil; databaseUrl: string },
): Promise<string | null> {
  const recordedBlock = await findBlock(anvil, BigInt(instance.head.number))
  if (recordedBlock?.hash !== instance.head.hash) return 'the saved chain lacks its last recorded block'
  const indexedHead = await withConnection(databaseUrl, findIndexedHead)
  if (indexedHead === null) return null
  const block = await findBlock(anvil, indexedHead.number)
  if (block === null)
    return `the tables are at block ${indexedHead.number}, the saved chain ends at ${(await readHead(anvil)).number}`
  return block.timestamp === indexedHead.timestamp
    ? null
    : `block ${indexedHead.number} of the saved chain is another than the tables'`
}

async function findBlock(anvil: Anvil, number: bigint): Promise<{ hash: string; timestamp: bigint } | null> {
  const block = await anvil.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
  if (typeof block !== 'object' || block === null || !('hash' in block) || !('timestamp' in block)) return null
  return { hash: String(block.hash), timestamp: BigInt(String(block.timestamp)) }
}

async function findIndexedHead(sql: postgres.Sql): Promise<{ number: bigint; timestamp: bigint } | null> {
  const [table] = await sql`SELECT to_regclass('market.indexed_head') IS NOT NULL AS exists`
  if (table?.exists !== true) return null
  const [row] = await sql<{ number: string; timestamp: string }[]>`
    SELECT block_number AS number, block_timestamp AS timestamp FROM market.indexed_head`
  return row === undefined ? null : { number: BigInt(row.number), timestamp: BigInt(row.timestamp) }
}

/**
 * Returns the name of a migration whose file was changed after the migration was applied to this database; null if
 * there is none. The service refuses to start on such a database.
 */
async function findChangedMigration(sql: postgres.Sql): Promise<string | null> {
  const [table] = await sql`SELECT to_regclass('service.migrations') IS NOT NULL AS exists`
  if (table?.exists !== true) return null
  const appliedMigrations = await sql<
    { name: string; sha256: string }[]
  >`SELECT name, sha256 FROM service.migrations ORDER BY name`
  return appliedMigrations.find(({ name, sha256 }) => hashOfMigration(name) !== sha256)?.name ?? null
}

function hashOfMigration(name: string): string | null {
  try {
    const text = readFileSync(join(repositoryRoot, 'api', 'db', 'migrations', name))
    return createHash('sha256').update(text).digest('hex')
  } catch {
    return null
  }
}
