import type { Address } from 'viem'
import type { Database, Transaction } from '../../../db/client.ts'
import { hasPaid } from '../../../intents/has-paid.ts'

/** The intent of a wallet's mint that has not failed; null: none was recorded, or it failed. */
export async function findMint(sql: Database, wallet: Address): Promise<string | null> {
  const [row] = await sql<{ intentId: string }[]>`
    select m.intent_id from service.identity_mints m join service.intents i on i.id = m.intent_id
    where m.wallet = ${wallet} and i.status <> 'failed'`
  return row?.intentId ?? null
}

/**
 * Makes an intent the wallet's mint. Of transactions that try it at one time, one succeeds.
 * @returns false when the wallet has another one, which has not failed
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

/** Whether a wallet has paid for a write here, or has a submission: what the reserved mints are for. */
export async function hasUsedMarket(
  sql: Database,
  { wallet, usdc }: { wallet: Address; usdc: Address },
): Promise<boolean> {
  const [row] = await sql<{ hasUsed: boolean }[]>`
    select ${hasPaid(sql, { wallet, usdc })} or exists (select from submission where worker = ${wallet}) as has_used`
  return row?.hasUsed ?? false
}
