import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

/**
 * Purpose of a signed transaction: the call of its intent, the refund of its payment or its announcement, or only to use its
 * nonce (also of the transfer that drains a relayer).
 */
export type AttemptPurpose = 'call' | 'refund' | 'announcement' | 'cancellation'

/** A signed transaction to be stored. */
export interface NewAttempt {
  /** Null for a cancellation that fills a gap in its nonce sequence. */
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

/** A stored one. Ages are the database's: seconds since it was signed, and since it was last sent. */
export interface Attempt extends NewAttempt {
  id: bigint
  ageSeconds: number
  /** Null when no send was noted. */
  silentSeconds: number | null
}

export async function insertAttempt(tx: Queryable, attempt: NewAttempt): Promise<void> {
  await tx`
    insert into attempts (intent_id, relayer, nonce, hash, raw, purpose, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    values (${attempt.intentId}, ${attempt.relayer}, ${attempt.nonce}, ${attempt.hash}, ${attempt.raw}, ${attempt.purpose},
      ${attempt.gasLimit}, ${attempt.maxFeePerGas}, ${attempt.maxPriorityFeePerGas})`
}

/** Every transaction ever signed for these intents, newest first. */
export async function listAttempts(sql: Queryable, intentIds: readonly string[]): Promise<Attempt[]> {
  return await sql<Attempt[]>`
    select *,
      extract(epoch from now() - created_at)::float8 as age_seconds,
      extract(epoch from now() - sent_at)::float8 as silent_seconds
    from attempts where intent_id = any(${intentIds}::uuid[])
    order by id desc`
}

/** Notes that the bytes were handed to a node; whether it took them is another matter. */
export async function markSent(sql: Queryable, hash: Hex): Promise<void> {
  await sql`update attempts set sent_at = now() where hash = ${hash}`
}
