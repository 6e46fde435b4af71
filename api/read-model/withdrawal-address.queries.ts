import type { Address } from 'viem'
import type { Queryable } from '../db/client.ts'

/** What is registered for a wallet. */
export interface WithdrawalAddressRow {
  address: Address
  /** Null: an operator imported it without a code. */
  recoveryCodeHash: string | null
}

/** Null: none is registered. */
export async function findWithdrawalAddress(sql: Queryable, wallet: Address): Promise<WithdrawalAddressRow | null> {
  const rows = await sql<WithdrawalAddressRow[]>`
    select address, recovery_code_hash from service.withdrawal_addresses where wallet = ${wallet}`
  return rows[0] ?? null
}
