import type { Address, Hex } from 'viem'
import type { BoundIntent, RelayLeg } from '../writes/intent.ts'
import type { Queryable, Transaction } from './client.ts'
import { type IntentRow, toBoundIntent } from './intents.mapper.ts'

/** Takes the oldest intent that waits to be relayed; another process passes it over until this transaction ends. */
export async function lockRecordedIntent(tx: Transaction): Promise<BoundIntent | null> {
  const [row] = await tx<IntentRow[]>`
    select * from intents where status = 'recorded' and relay_after <= now()
    order by created_at limit 1
    for update skip locked`
  return row === undefined ? null : toBoundIntent(row)
}

/** Takes an intent that is on its way; null when it is not any more, or another process has it. */
export async function lockBroadcastIntent(tx: Transaction, id: string): Promise<BoundIntent | null> {
  const [row] = await tx<IntentRow[]>`
    select * from intents where id = ${id} and status = 'broadcast' for update skip locked`
  return row === undefined ? null : toBoundIntent(row)
}

/** Intents on their way, oldest first. */
export async function listBroadcastIntents(sql: Queryable, limit: number): Promise<BoundIntent[]> {
  const rows = await sql<IntentRow[]>`
    select * from intents where status = 'broadcast' order by created_at limit ${limit}`
  return rows.map(toBoundIntent)
}

/** Leaves an intent alone for a while: the last step with it could not be finished. */
export async function deferIntent(sql: Queryable, id: string, seconds: number): Promise<void> {
  await sql`update intents set relay_after = now() + make_interval(secs => ${seconds}) where id = ${id}`
}

/** The intent is signed and stored: `hash` may be on chain from the next moment on. */
export async function markBroadcast(tx: Queryable, id: string, hash: Hex): Promise<void> {
  await tx`update intents set status = 'broadcast', tx_hash = ${hash} where id = ${id}`
}

/** Sends an intent back to the outbox, maybe by another leg. */
export async function requeueIntent(sql: Queryable, id: string, leg: RelayLeg): Promise<void> {
  await sql`
    update intents set status = 'recorded', leg = ${leg}, relay_after = now()
    where id = ${id} and status in ('recorded', 'broadcast')`
}

export interface MinedAt {
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
}

/** Stores a result. @returns false when the intent was not on its way any more */
export async function completeIntent(
  sql: Queryable,
  id: string,
  { mined, taskId, result }: { mined: MinedAt; taskId: Hex | null; result: Record<string, unknown> },
): Promise<boolean> {
  const rows = await sql`
    update intents set
      status = 'completed', watched = true, failure = null, terminal_reason = null,
      tx_hash = ${mined.txHash}, block_number = ${mined.blockNumber}, block_hash = ${mined.blockHash},
      task_id = ${taskId}, result = ${JSON.stringify(result)}::text::json
    where id = ${id} and status = 'broadcast'
    returning id`
  return rows.length === 1
}

/** Notes where an intent was mined whose result could not be stored yet. */
export async function noteMined(sql: Queryable, id: string, mined: MinedAt): Promise<void> {
  await sql`
    update intents set tx_hash = ${mined.txHash}, block_number = ${mined.blockNumber}, block_hash = ${mined.blockHash}
    where id = ${id} and status = 'broadcast'`
}

export interface Failure {
  /** For the caller: one sentence. */
  reason: string
  /** Where it reverted; null when it was never mined. */
  mined: MinedAt | null
  /** Its payment lies in the forwarder and goes back. */
  refund: boolean
}

/** Ends an intent that did not act. */
export async function failIntent(sql: Queryable, id: string, { reason, mined, refund }: Failure): Promise<void> {
  await sql`
    update intents set
      status = 'failed', watched = true, terminal_reason = ${reason}, failure = ${reason},
      tx_hash = coalesce(${mined?.txHash ?? null}, tx_hash),
      block_number = ${mined?.blockNumber ?? null}, block_hash = ${mined?.blockHash ?? null},
      refund_status = ${refund ? 'pending' : null}
    where id = ${id} and status in ('recorded', 'broadcast')`
}

/** Keeps an intent for an operator: its payment is used, and nothing proves by what. */
export async function holdIntent(sql: Queryable, id: string, failure: string): Promise<void> {
  await sql`
    update intents set status = 'held', failure = ${failure}
    where id = ${id} and status in ('recorded', 'broadcast')`
}

/** Opens a nonce lane where the chain is; one that is behind the chain (its key was used elsewhere) catches up. */
export async function openLane(sql: Queryable, relayer: Address, minedNonce: bigint): Promise<void> {
  await sql`
    insert into relayers (address, next_nonce) values (${relayer}, ${minedNonce})
    on conflict (address) do update set next_nonce = greatest(relayers.next_nonce, excluded.next_nonce)`
}

/** Takes the lane's next nonce; the lane is this transaction's until it ends. */
export async function takeNonce(tx: Transaction, relayer: Address): Promise<bigint> {
  const [row] = await tx<{ nonce: bigint }[]>`
    update relayers set next_nonce = next_nonce + 1 where address = ${relayer} returning next_nonce - 1 as nonce`
  if (row === undefined) throw new Error(`relayer ${relayer} has no nonce lane`)
  return row.nonce
}
