import type { Address, Hex } from 'viem'
import { keepingPlans, type Queryable } from '../../db/client.ts'

/**
 * The purpose of a signed transaction. `call`: makes the call of an intent. `refund`: refunds the intent's payment.
 * `announcement`: announces a refund. `cancellation`: makes no call; it only uses up a nonce, or moves the ether out of
 * a relayer.
 */
export type AttemptPurpose = 'call' | 'refund' | 'announcement' | 'cancellation'

/** A signed transaction that is not stored yet. */
export interface NewAttempt {
  /** The intent's id. Null for a cancellation that fills a gap in the nonce sequence. */
  intentId: string | null
  relayer: Address
  nonce: bigint
  hash: Hex
  raw: Hex
  purpose: AttemptPurpose
  gasLimit: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/**
 * A signed transaction in the database, with the time since its signature and the time since its last sending. Both
 * times are measured by the database's clock.
 */
export interface Attempt extends NewAttempt {
  id: bigint
  /** The seconds since the transaction was signed. */
  ageSeconds: number
  /** The seconds since the transaction was last sent; null if no sending was recorded. */
  silentSeconds: number | null
}

export async function insertAttempt(tx: Queryable, attempt: NewAttempt): Promise<void> {
  await tx`
    insert into attempts (intent_id, relayer, nonce, hash, raw, purpose, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    values (${attempt.intentId}, ${attempt.relayer}, ${attempt.nonce}, ${attempt.hash}, ${attempt.raw}, ${attempt.purpose},
      ${attempt.gasLimit}, ${attempt.maxFeePerGas}, ${attempt.maxPriorityFeePerGas})`
}

/** Lists all transactions that were signed for these intents, newest first. */
export async function listAttempts(sql: Queryable, intentIds: readonly string[]): Promise<Attempt[]> {
  return await keepingPlans(sql)<Attempt[]>`
    select *,
      extract(epoch from now() - created_at)::float8 as age_seconds,
      extract(epoch from now() - sent_at)::float8 as silent_seconds
    from attempts where intent_id = any(${intentIds}::uuid[])
    order by id desc`
}

/** Records that the transaction was sent to a node. The node may have refused it. */
export async function markSent(sql: Queryable, hash: Hex): Promise<void> {
  await keepingPlans(sql)`update attempts set sent_at = now() where hash = ${hash}`
}
