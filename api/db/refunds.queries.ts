import type { Hex } from 'viem'
import type { BoundIntent } from '../writes/intent.ts'
import type { Queryable, Transaction } from './client.ts'
import { type IntentRow, toBoundIntent } from './intents.mapper.ts'

/** Takes the oldest failed intent whose payment waits to go back; other processes pass it over meanwhile. */
export async function lockPendingRefund(tx: Transaction): Promise<BoundIntent | null> {
  const [row] = await tx<IntentRow[]>`
    select * from intents where refund_status = 'pending' and relay_after <= now()
    order by created_at limit 1
    for update skip locked`
  return row === undefined ? null : toBoundIntent(row)
}

/** Takes a refund that is on its way; false when it is not any more, or another process has it. */
export async function lockRefunding(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx`
    select id from intents where id = ${id} and refund_status = 'refunding' for update skip locked`
  return rows.length === 1
}

/** Refunds on their way, oldest first. */
export async function listRefunding(sql: Queryable, limit: number): Promise<BoundIntent[]> {
  const rows = await sql<IntentRow[]>`
    select * from intents where refund_status = 'refunding' order by created_at limit ${limit}`
  return rows.map(toBoundIntent)
}

/** The refund is signed and stored. */
export async function markRefunding(tx: Queryable, id: string, hash: Hex): Promise<void> {
  await tx`update intents set refund_status = 'refunding', refund_tx_hash = ${hash} where id = ${id}`
}

/** Sends a refund back to its outbox: the next simulation says whether it is still needed. */
export async function requeueRefund(sql: Queryable, id: string): Promise<void> {
  await sql`update intents set refund_status = 'pending', relay_after = now() where id = ${id}`
}

/** Ends a refund. `hash` is the transaction that gave the money back; null keeps what is known. */
export async function finishRefund(
  sql: Queryable,
  id: string,
  { status, hash }: { status: 'refunded' | 'failed'; hash: Hex | null },
): Promise<void> {
  await sql`
    update intents set refund_status = ${status}, refund_tx_hash = coalesce(${hash}, refund_tx_hash)
    where id = ${id} and refund_status in ('pending', 'refunding')`
}

/** Failed writes whose authorization was neither charged nor given back, and may still turn out to be used. */
export async function listUnusedPayments(sql: Queryable, limit: number): Promise<BoundIntent[]> {
  const rows = await sql<IntentRow[]>`
    select * from intents
    where status = 'failed' and refund_status is null and payment_watched and payment_nonce is not null
    order by payment_valid_before limit ${limit}`
  return rows.map(toBoundIntent)
}

/** An authorization that ended unused: nobody can submit it any more. */
export async function releasePayment(sql: Queryable, id: string): Promise<void> {
  await sql`update intents set payment_watched = false where id = ${id} and refund_status is null`
}

/** The payment of a failed write lies in the forwarder after all. */
export async function requestRefund(sql: Queryable, id: string): Promise<void> {
  await sql`
    update intents set refund_status = 'pending', relay_after = now()
    where id = ${id} and status = 'failed' and refund_status is null`
}
