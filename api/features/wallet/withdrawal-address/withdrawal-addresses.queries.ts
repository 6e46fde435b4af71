import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'

/** Inserts a withdrawal address. @returns false when the wallet has one already: nothing changed */
export async function insertWithdrawalAddress(
  sql: Queryable,
  { wallet, address, recoveryCodeHash }: { wallet: Address; address: Address; recoveryCodeHash: string },
): Promise<boolean> {
  const rows = await sql`
    insert into service.withdrawal_addresses (wallet, address, recovery_code_hash)
    values (${wallet}, ${address}, ${recoveryCodeHash})
    on conflict (wallet) do nothing
    returning wallet`
  return rows.length === 1
}

/**
 * Changes the address together with the code. Each code works once: of two requests with the same one, one succeeds.
 * @returns false when `usedHash` is no longer the code's: nothing changed
 */
export async function changeWithdrawalAddress(
  sql: Queryable,
  {
    wallet,
    address,
    usedHash,
    recoveryCodeHash,
  }: { wallet: Address; address: Address; usedHash: string; recoveryCodeHash: string },
): Promise<boolean> {
  const rows = await sql`
    update service.withdrawal_addresses
    set address = ${address}, recovery_code_hash = ${recoveryCodeHash}, updated_at = now()
    where wallet = ${wallet} and recovery_code_hash = ${usedHash}
    returning wallet`
  return rows.length === 1
}

/** Gives an imported row its first code. @returns false when it has one, or without such a row */
export async function insertRecoveryCode(
  sql: Queryable,
  { wallet, recoveryCodeHash }: { wallet: Address; recoveryCodeHash: string },
): Promise<boolean> {
  const rows = await sql`
    update service.withdrawal_addresses set recovery_code_hash = ${recoveryCodeHash}, updated_at = now()
    where wallet = ${wallet} and recovery_code_hash is null
    returning wallet`
  return rows.length === 1
}

/** An address that was in force. */
export interface WithdrawalAddressChange {
  address: Address
  kind: 'registered' | 'changed'
  createdAt: Date
}

/** Lists the newest changes of a wallet, newest first. */
export async function listWithdrawalAddressChanges(
  sql: Queryable,
  wallet: Address,
  limit: number,
): Promise<WithdrawalAddressChange[]> {
  return await sql<WithdrawalAddressChange[]>`
    select address, kind, created_at from service.withdrawal_address_changes
    where wallet = ${wallet} order by id desc limit ${limit}`
}
