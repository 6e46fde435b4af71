import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** A device as stored. */
export interface DeviceRow {
  id: string
  /** Lower case. */
  wallet: Address
  /** SHA-256 of the token. */
  tokenHash: Buffer
  sealedKey: Buffer
  /** Compressed secp256k1; null: none was given, or the wallet did not sign. */
  publicKey: Hex | null
  /** The wallet signed for it when it was registered, in the body or by read-identity headers. */
  isVerified: boolean
  /** It signed in the body: then the device may publish a key. */
  isSigned: boolean
  isActive: boolean
}

export async function insertDevice(sql: Queryable, device: Omit<DeviceRow, 'isActive'>): Promise<void> {
  const { id, wallet, tokenHash, sealedKey, publicKey, isVerified, isSigned } = device
  await sql`
    insert into devices (id, wallet, token_hash, sealed_key, public_key, is_verified, is_signed)
    values (${id}, ${wallet}, ${tokenHash}, ${sealedKey}, ${publicKey}, ${isVerified}, ${isSigned})`
}

export async function findDevice(sql: Queryable, id: string): Promise<DeviceRow | null> {
  const rows = await sql<DeviceRow[]>`
    select id, wallet, token_hash, sealed_key, public_key, is_verified, is_signed, is_active from devices where id = ${id}`
  return rows[0] ?? null
}

/** From now on the device may do nothing; its row stays. */
export async function deactivateDevice(sql: Queryable, id: string): Promise<void> {
  await sql`update devices set is_active = false where id = ${id}`
}
