import type { Address } from 'viem'
import type { Queryable } from '../db/client.ts'

/** The registered withdrawal address of a wallet. */
export interface WithdrawalAddressRow {
  address: Address
  /** The hash of the recovery code, or null if an operator imported the address without a code. */
  recoveryCodeHash: string | null
}

/** Returns a wallet's registered withdrawal address, or null. */
export async function findWithdrawalAddress(sql: Queryable, wallet: Address): Promise<WithdrawalAddressRow | null> {
  const rows = await sql<WithdrawalAddressRow[]>`
    select address, recovery_code_hash from service.withdrawal_addresses where wallet = ${wallet}`
  return rows[0] ?? null
}
