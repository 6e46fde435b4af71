import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/**
 * Returns the amount that the market holds for an address because payouts to it failed, in base units of USDC. Returns
 * 0 if there is none.
 */
export async function findCredit(sql: Queryable, account: Address): Promise<bigint> {
  const rows = await sql<{ amount: bigint }[]>`select amount from credit where account = ${account}`
  return rows[0]?.amount ?? 0n
}
