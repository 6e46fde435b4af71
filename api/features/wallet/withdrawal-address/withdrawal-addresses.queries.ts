import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'

/**
 * Stores the withdrawal address of a wallet, if the wallet has none.
 * @returns false if the wallet already has a withdrawal address
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
 * Changes the withdrawal address and the recovery code of a wallet. Of two requests with the same code, only one
 * succeeds.
 * @returns false, and nothing changes, if `usedHash` is not the hash of the wallet's present code
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
 * @returns false if the address already has a code, or the wallet has no withdrawal address
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
