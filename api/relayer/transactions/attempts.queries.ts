import type { Address, Hex } from 'viem'
import { keepingPlans, type Queryable } from '../../db/client.ts'

/**
 * The purpose of a signed transaction: the call of its intent, the refund of its payment, its announcement, or the mere
 * use of its nonce (also by the transfer that drains a relayer).
 */
export type AttemptPurpose = 'call' | 'refund' | 'announcement' | 'cancellation'

/** A signed transaction before it is stored. */
export interface NewAttempt {
  /** The intent; null for a cancellation that fills a gap in its nonce sequence. */
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

/** A stored transaction. Ages are the database's: seconds since it was signed, and since it was last sent. */
export interface Attempt extends NewAttempt {
  id: bigint
  ageSeconds: number
  /** The seconds since the last send; null: none was recorded. */
  silentSeconds: number | null
}

export async function insertAttempt(tx: Queryable, attempt: NewAttempt): Promise<void> {
  await tx`
    insert into attempts (intent_id, relayer, nonce, hash, raw, purpose, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    values (${attempt.intentId}, ${attempt.relayer}, ${attempt.nonce}, ${attempt.hash}, ${attempt.raw}, ${attempt.purpose},
      ${attempt.gasLimit}, ${attempt.maxFeePerGas}, ${attempt.maxPriorityFeePerGas})`
}

/** Lists every transaction signed for these intents, newest first. */
export async function listAttempts(sql: Queryable, intentIds: readonly string[]): Promise<Attempt[]> {
  return await keepingPlans(sql)<Attempt[]>`
    select *,
      extract(epoch from now() - created_at)::float8 as age_seconds,
      extract(epoch from now() - sent_at)::float8 as silent_seconds
    from attempts where intent_id = any(${intentIds}::uuid[])
    order by id desc`
}

/** Records that the bytes were sent to a node, whether it accepted them or not. */
export async function markSent(sql: Queryable, hash: Hex): Promise<void> {
  await keepingPlans(sql)`update attempts set sent_at = now() where hash = ${hash}`
}
