import type { Address } from 'viem'
import type { Database, Transaction } from '../../../db/client.ts'
import { hasPaid } from '../../../intents/has-paid.ts'

/** Returns the intent id of a wallet's mint, or null if the wallet has no mint or its mint failed. */
export async function findMint(sql: Database, wallet: Address): Promise<string | null> {
  const [row] = await sql<{ intentId: string }[]>`
    select m.intent_id from service.identity_mints m join service.intents i on i.id = m.intent_id
    where m.wallet = ${wallet} and i.status <> 'failed'`
  return row?.intentId ?? null
}

/**
 * Records an intent as the wallet's mint. Of several concurrent transactions for one wallet, only one succeeds.
 * @returns false if the wallet has another mint that has not failed
 */
export async function recordMint(tx: Transaction, mint: { wallet: Address; intentId: string }): Promise<boolean> {
  const rows = await tx`
    insert into service.identity_mints (wallet, intent_id) values (${mint.wallet}, ${mint.intentId})
    on conflict (wallet) do update set intent_id = excluded.intent_id, recorded_at = now()
    where exists (
      select from service.intents i where i.id = identity_mints.intent_id and i.status = 'failed'
    )
    returning wallet`
  return rows.length === 1
}

/**
 * Returns true if a wallet has paid for a write of this service or has a submission. If the usual limits on mints of
 * agent identities are used up, only a wallet with the result true may take a mint from the limit `reservedMints`
 * (`takeMint`).
 */
export async function hasUsedMarket(
  sql: Database,
  { wallet, usdc }: { wallet: Address; usdc: Address },
): Promise<boolean> {
  const [row] = await sql<{ hasUsed: boolean }[]>`
    select ${hasPaid(sql, { wallet, usdc })} or exists (select from submission where worker = ${wallet}) as has_used`
  return row?.hasUsed ?? false
}
