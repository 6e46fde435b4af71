import type { Hex } from 'viem'
import type { RelayMode } from '../../protocol/relay.ts'
import type { MinedAt } from '../chain/chain.ts'
import { keepingPlans, type Queryable, type Transaction } from '../db/client.ts'
import type { BoundIntent, RelayClass, RelayTerms } from './intent.ts'
import { type IntentRow, toBoundIntent } from './intents.mapper.ts'

/** The version of an intent that the caller read. Each update below applies only to this version. */
export type ReadIntent = Pick<BoundIntent, 'id' | 'version'>

/**
 * Locks the recorded intent that has been due the longest among the intents of a class. Intents that other processes
 * have locked are skipped.
 */
export async function lockRecordedIntent(tx: Transaction, relayClass: RelayClass): Promise<BoundIntent | null> {
  const [row] = await tx<IntentRow[]>`
    select * from intents where status = 'recorded' and relay_class = ${relayClass} and relay_after <= now()
    order by relay_after limit 1
    for update skip locked`
  return row === undefined ? null : toBoundIntent(row)
}

/**
 * Locks a broadcast intent.
 * @returns false when the intent has changed since it was read, or another process has locked it
 */
export async function lockBroadcastIntent(tx: Transaction, { id, version }: ReadIntent): Promise<boolean> {
  const rows = await tx`
    select id from intents where id = ${id} and version = ${version} and status = 'broadcast'
    for update skip locked`
  return rows.length === 1
}

/**
 * Returns the seconds since an intent came into its present status. For a recorded intent, this is the time since it
 * was recorded or, if it was returned to the outbox later, since its last return.
 */
export async function findRecordedSeconds(sql: Queryable, id: string): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - status_at)::float8 as seconds from intents where id = ${id}`
  return row?.seconds ?? 0
}

/**
 * Lists broadcast intents. Intents that a reorg undid come first, in the order in which they were first mined. All
 * other intents follow, oldest first.
 */
export async function listBroadcastIntents(sql: Queryable, limit: number): Promise<BoundIntent[]> {
  const rows = await keepingPlans(sql)<IntentRow[]>`
    select * from intents where status = 'broadcast'
    order by undone_block, undone_position, created_at limit ${limit}`
  return rows.map(toBoundIntent)
}

/**
 * Postpones an intent after a failed step. The pause starts at `seconds` and doubles with each failure, up to 60
 * seconds.
 */
export async function deferIntent(sql: Queryable, id: string, seconds: number): Promise<void> {
  await sql`
    update intents set relay_tries = relay_tries + 1,
      relay_after = now() + make_interval(secs => least(60, ${seconds} * power(2, least(relay_tries, 6))))
    where id = ${id}`
}

/**
 * Leases an intent for a number of seconds. Meanwhile, the transaction of the intent or of its refund is signed, and
 * other processes skip the intent.
 * @returns the intent's new version
 */
export async function leaseIntent(tx: Transaction, id: string, seconds: number): Promise<bigint> {
  const [row] = await tx<{ version: bigint }[]>`
    update intents set relay_after = now() + make_interval(secs => ${seconds}) where id = ${id} returning version`
  if (row === undefined) throw new Error(`there is no intent ${id}`)
  return row.version
}

/**
 * Locks the row of an intent.
 * @returns false when the intent has changed since it was read
 */
export async function lockVersion(tx: Transaction, { id, version }: ReadIntent): Promise<boolean> {
  const rows = await tx`select id from intents where id = ${id} and version = ${version} for update`
  return rows.length === 1
}

/**
 * Moves an intent to the class `foreign`. Used when its actor has become an account with code.
 * @returns false when the intent has changed since it was read
 */
export async function markForeign(tx: Transaction, { id, version }: ReadIntent, terms: RelayTerms): Promise<boolean> {
  const rows = await tx`
    update intents set relay_class = 'foreign', gas_limit = ${terms.gasLimit},
      gas_account = ${terms.gas?.account.name ?? null}, gas_reserved_wei = ${terms.gas?.wei.toString() ?? null}::numeric
    where id = ${id} and version = ${version} and status = 'recorded' and gas_account is null
    returning id`
  return rows.length === 1
}

/**
 * Marks an intent as broadcast.
 * @param hash the intent's transaction: signed and stored, or found on chain
 * @returns false when the intent has changed since it was read
 */
export async function markBroadcast(sql: Queryable, { id, version }: ReadIntent, hash: Hex): Promise<boolean> {
  const rows = await sql`
    update intents set status = 'broadcast', tx_hash = ${hash}, relay_tries = 0
    where id = ${id} and version = ${version} and status in ('recorded', 'broadcast', 'held')
    returning id`
  return rows.length === 1
}

/**
 * Puts an intent back into the outbox with the given relay mode.
 * @returns false when the intent has changed since it was read
 */
export async function requeueIntent(
  sql: Queryable,
  { id, version }: ReadIntent,
  mode: RelayMode | null,
): Promise<boolean> {
  const rows = await sql`
    update intents set status = 'recorded', relay_mode = ${mode}, relay_after = now(), failure = null
    where id = ${id} and version = ${version} and status in ('recorded', 'broadcast', 'held')
    returning id`
  return rows.length === 1
}

/**
 * Postpones an intent in the outbox by `seconds`. Used if earlier writes, which a reorg undid, must be mined again
 * before the intent.
 * @returns false when the intent has changed since it was read
 */
export async function awaitEarlier(sql: Queryable, { id, version }: ReadIntent, seconds: number): Promise<boolean> {
  const rows = await sql`
    update intents set status = 'recorded', relay_after = now() + make_interval(secs => ${seconds}), failure = null
    where id = ${id} and version = ${version} and status in ('recorded', 'broadcast', 'held')
    returning id`
  return rows.length === 1
}

/**
 * Completes an intent with its result. `index` is the transaction's index in its block.
 * @returns false when the intent has changed since it was read
 */
export async function completeIntent(
  sql: Queryable,
  { id, version }: ReadIntent,
  completion: { mined: MinedAt; index: number | null; taskId: Hex | null; result: Record<string, unknown> },
): Promise<boolean> {
  const { mined, index, taskId, result } = completion
  const rows = await keepingPlans(sql)`
    update intents set
      status = 'completed', block_position = ${index}, watched = true, failure = null, terminal_reason = null,
      tx_hash = ${mined.txHash}, block_number = ${mined.blockNumber}, block_hash = ${mined.blockHash},
      task_id = ${taskId}, result = ${JSON.stringify(result)}::text::json
    where id = ${id} and version = ${version} and status = 'broadcast'
    returning id`
  return rows.length === 1
}

/** Stores the block of a mined intent whose result cannot be stored yet. */
export async function recordMined(sql: Queryable, { id, version }: ReadIntent, minedAt: MinedAt): Promise<void> {
  await sql`
    update intents set tx_hash = ${minedAt.txHash}, block_number = ${minedAt.blockNumber}, block_hash = ${minedAt.blockHash}
    where id = ${id} and version = ${version} and status = 'broadcast'
      and block_hash is distinct from ${minedAt.blockHash}`
}

export interface Failure {
  /** The reason why the intent failed, in one sentence. The caller of the write can read the sentence. */
  reason: string
  /** The block of the reverted transaction; null if no transaction was mined. */
  mined: MinedAt | null
  /** True if the payment's money is in the forwarder and must be refunded. */
  refund: boolean
}

/**
 * Marks an intent as failed because its call had no effect. @returns false when the intent has changed since it was
 * read
 */
export async function failIntent(
  sql: Queryable,
  { id, version }: ReadIntent,
  { reason, mined, refund }: Failure,
): Promise<boolean> {
  const rows = await sql`
    update intents set
      status = 'failed', watched = true, payment_watched = true, terminal_reason = ${reason}, failure = ${reason},
      tx_hash = coalesce(${mined?.txHash ?? null}, tx_hash),
      block_number = ${mined?.blockNumber ?? null}, block_hash = ${mined?.blockHash ?? null},
      refund_status = ${refund ? 'pending' : null}, relay_after = now()
    where id = ${id} and version = ${version} and status in ('recorded', 'broadcast', 'held')
    returning id`
  return rows.length === 1
}
