import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/**
 * Returns the address of the market's identity registry from the read model. Returns null if no event of the market is
 * indexed.
 */
export async function findIndexedRegistry(sql: Queryable): Promise<Address | null> {
  const rows = await sql<{ identityRegistry: Address | null }[]>`select identity_registry from market_config`
  return rows[0]?.identityRegistry ?? null
}
