import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/**
 * Returns the credit of an address in base units of USDC: the failed payouts that the market holds for the address. The
 * result is 0 if the market holds none.
 */
export async function findCredit(sql: Queryable, account: Address): Promise<bigint> {
  const rows = await sql<{ amount: bigint }[]>`select amount from credit where account = ${account}`
  return rows[0]?.amount ?? 0n
}
