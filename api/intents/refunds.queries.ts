import type { Hex } from 'viem'
import type { MinedAt } from '../chain/chain.ts'
import { keepingPlans, type Queryable, type Transaction } from '../db/client.ts'
import type { BoundIntent } from './intent.ts'
import { type IntentRow, toBoundIntent } from './intents.mapper.ts'
import type { ReadIntent } from './outbox.queries.ts'

/** Locks the pending refund that has been due the longest. Refunds that other processes have locked are skipped. */
export async function lockPendingRefund(tx: Transaction): Promise<BoundIntent | null> {
  const [row] = await tx<IntentRow[]>`
    select * from intents where refund_status = 'pending' and relay_after <= now()
    order by relay_after limit 1
    for update skip locked`
  return row === undefined ? null : toBoundIntent(row)
}

/**
 * Postpones a refund that would revert now. The pause is a quarter of the refund's age: at least 5 seconds, at most an
 * hour.
 */
export async function deferRefund(sql: Queryable, id: string): Promise<void> {
  await sql`
    update intents
    set relay_after = now() + least(interval '1 hour', greatest(interval '5 seconds', (now() - status_at) / 4))
    where id = ${id}`
}

/**
 * The longest pause in seconds before an announced refund is checked again. The forwarder's daily limit may allow the
 * refund before the announced time.
 */
const ANNOUNCED_POLL_SECONDS = 3_600n

/**
 * Stores `notBefore` (Unix seconds), the time from which an announced refund can be paid, even above the daily limit
 * for prepaid money. Exception: the guardian may veto the refund. The relayer looks at the refund again after
 * `secondsLeft` seconds, or after one hour if one hour is shorter.
 */
export async function awaitAnnouncedRefund(
  sql: Queryable,
  id: string,
  { notBefore, secondsLeft }: { notBefore: bigint; secondsLeft: bigint },
): Promise<void> {
  const pauseSeconds = secondsLeft < ANNOUNCED_POLL_SECONDS ? secondsLeft : ANNOUNCED_POLL_SECONDS
  await sql`
    update intents set refund_not_before = ${notBefore}, refund_tx_hash = null,
      relay_after = now() + make_interval(secs => ${Number(pauseSeconds)})
    where id = ${id}`
}

/**
 * Locks a refund whose transaction was sent.
 * @returns false when the intent has changed since it was read, or another process has locked it
 */
export async function lockRefunding(tx: Transaction, { id, version }: ReadIntent): Promise<boolean> {
  const rows = await tx`
    select id from intents where id = ${id} and version = ${version} and refund_status = 'refunding'
    for update skip locked`
  return rows.length === 1
}

/** Lists the refunds whose transaction was sent and has no known outcome, oldest first. */
export async function listRefunding(sql: Queryable, limit: number): Promise<BoundIntent[]> {
  const rows = await keepingPlans(sql)<IntentRow[]>`
    select * from intents where refund_status = 'refunding' order by created_at limit ${limit}`
  return rows.map(toBoundIntent)
}

/**
 * Marks a refund as `refunding` after its transaction was signed and stored.
 * @returns false when the intent has changed since it was read
 */
export async function markRefunding(tx: Queryable, { id, version }: ReadIntent, hash: Hex): Promise<boolean> {
  const rows = await tx`
    update intents set refund_status = 'refunding', refund_tx_hash = ${hash}
    where id = ${id} and version = ${version} and refund_status in ('pending', 'refunding')
    returning id`
  return rows.length === 1
}

/** Returns a sent refund to the outbox. The next simulation shows if the refund is still needed. */
export async function requeueRefund(sql: Queryable, { id, version }: ReadIntent): Promise<boolean> {
  const rows = await sql`
    update intents set refund_status = 'pending', relay_after = now()
    where id = ${id} and version = ${version} and refund_status = 'refunding'
    returning id`
  return rows.length === 1
}

/**
 * Returns a refund to the outbox. Called if the refund's transaction was mined without effect. The next attempt follows
 * after a pause of `restSeconds`.
 * @returns false when the intent has changed since it was read
 */
export async function repeatRefund(
  sql: Queryable,
  { id, version }: ReadIntent,
  { attemptsLeft, restSeconds }: { attemptsLeft: number; restSeconds: number },
): Promise<boolean> {
  const rows = await sql`
    update intents set refund_status = 'pending', refund_attempts_left = ${attemptsLeft},
      relay_after = now() + make_interval(secs => ${restSeconds})
    where id = ${id} and version = ${version} and refund_status = 'refunding'
    returning id`
  return rows.length === 1
}

/**
 * Leaves a refund to an operator. The view `service.failed_refunds` lists such refunds.
 * @returns false when the intent has changed since it was read
 */
export async function failRefund(sql: Queryable, { id, version }: ReadIntent, finding: string): Promise<boolean> {
  const rows = await sql`
    update intents set refund_status = 'failed', refund_finding = ${finding}, refund_failed_at = now(),
      refund_attempts_left = 0
    where id = ${id} and version = ${version} and refund_status in ('pending', 'refunding')
    returning id`
  return rows.length === 1
}

/**
 * Completes a refund with its mined transaction. Until the transaction's block is safe, the refund is checked for
 * reorgs.
 * @returns false when the intent has changed since it was read
 */
export async function finishRefund(sql: Queryable, { id, version }: ReadIntent, minedAt: MinedAt): Promise<boolean> {
  const rows = await sql`
    update intents set refund_status = 'refunded', refund_tx_hash = ${minedAt.txHash}, refund_watched = true,
      refund_block_number = ${minedAt.blockNumber}, refund_block_hash = ${minedAt.blockHash}
    where id = ${id} and version = ${version} and refund_status in ('pending', 'refunding')
    returning id`
  return rows.length === 1
}

/** Lists failed writes whose payment authorization was neither charged nor refunded and may still be used on chain. */
export async function listUnusedPayments(sql: Queryable, limit: number): Promise<BoundIntent[]> {
  const rows = await sql<IntentRow[]>`
    select * from intents
    where status = 'failed' and refund_status is null and payment_watched and payment_nonce is not null
    order by payment_valid_before limit ${limit}`
  return rows.map(toBoundIntent)
}

/**
 * Ends the watch (the repeated check on chain) of a failed write's unused payment. Called when the payment can no
 * longer be submitted.
 */
export async function endPaymentWatch(sql: Queryable, { id, version }: ReadIntent): Promise<void> {
  await sql`
    update intents set payment_watched = false
    where id = ${id} and version = ${version} and status = 'failed' and refund_status is null`
}

/** Requests the refund of a failed write whose payment turned out to be in the forwarder. */
export async function requestRefund(sql: Queryable, { id, version }: ReadIntent): Promise<void> {
  await sql`
    update intents set refund_status = 'pending', relay_after = now()
    where id = ${id} and version = ${version} and status = 'failed' and refund_status is null`
}
