import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'

/**
 * Inserts the withdrawal address of a wallet.
 * @returns false when the wallet has one already; nothing has changed then
 */
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
 * Changes the withdrawal address of a wallet together with the recovery code. Each code works only once: if two
 * requests have the same code, only one succeeds.
 * @returns false when `usedHash` is no longer the hash of the wallet's code; nothing has changed then
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

/**
 * Stores the first recovery code of an imported withdrawal address.
 * @returns false when the address has a code already, or the wallet has no withdrawal address
 */
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

/** A withdrawal address that a wallet registered or changed to. */
export interface WithdrawalAddressChange {
  address: Address
  kind: 'registered' | 'changed'
  createdAt: Date
}

/** Lists the newest registrations and changes of a wallet's withdrawal address, newest first. */
export async function listWithdrawalAddressChanges(
  sql: Queryable,
  wallet: Address,
  limit: number,
): Promise<WithdrawalAddressChange[]> {
  return await sql<WithdrawalAddressChange[]>`
    select address, kind, created_at from service.withdrawal_address_changes
    where wallet = ${wallet} order by id desc limit ${limit}`
}
