import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

/**
 * Returns the latest key that a wallet published, as 0x-prefixed hex. Returns null if the wallet has published no key.
 */
export async function findPublicKey(sql: Queryable, wallet: Address): Promise<Hex | null> {
  const rows = await sql<{ publicKey: Hex }[]>`
    select public_key from service.published_keys where wallet = ${wallet}`
  return rows[0]?.publicKey ?? null
}

/** Stores a public key as the key that the wallet has published. It replaces the wallet's earlier key. */
export async function publishKey(sql: Queryable, wallet: Address, publicKey: Hex): Promise<void> {
  await sql`
    insert into service.published_keys (wallet, public_key) values (${wallet}, ${publicKey})
    on conflict (wallet) do update set public_key = excluded.public_key, published_at = now()`
}
