import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** Returns the market's indexed identity registry; null before the first event of the market. */
export async function findIndexedRegistry(sql: Queryable): Promise<Address | null> {
  const rows = await sql<{ identityRegistry: Address | null }[]>`select identity_registry from market_config`
  return rows[0]?.identityRegistry ?? null
}
