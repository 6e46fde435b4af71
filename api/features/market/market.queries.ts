import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/**
 * Returns the ordered default hooks and the platform fee of a new task. Returns null if no event of the market is
 * indexed.
 */
export async function findNewTaskTerms(sql: Queryable): Promise<{ defaultHooks: Address[]; feeBps: number } | null> {
  const [row] = await sql<{ defaultHooks: Address[]; feeBps: number }[]>`
    select default_hooks, fee_bps from market_config`
  return row ?? null
}
