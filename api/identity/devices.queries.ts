import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** A device that is stored in the database. */
export interface DeviceRow {
  id: string
  /** The address of the device's wallet, in lower case. */
  wallet: Address
  /** The SHA-256 of the device's token. */
  tokenHash: Buffer
  sealedKey: Buffer
  /**
   * The device's compressed secp256k1 public key; null if the device sent no key, or the wallet did not sign the
   * registration.
   */
  publicKey: Hex | null
  /**
   * True if the wallet's signature was sent with the device's registration, in the body or in the read-identity
   * headers.
   */
  isVerified: boolean
  /**
   * True if the wallet's signature was sent in the body of the registration. Only then may the device publish a key.
   */
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

/** Ends a device permanently. Its row is not deleted. */
export async function deactivateDevice(sql: Queryable, id: string): Promise<void> {
  await sql`update devices set is_active = false where id = ${id}`
}
