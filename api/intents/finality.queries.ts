import type { Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { BoundIntent } from './intent.ts'
import { type IntentRow, toBoundIntent } from './intents.mapper.ts'
import type { ReadIntent } from './outbox.queries.ts'

/** A block with outcomes or refunds that are not final. A reorg can still undo them. */
export interface WatchedBlock {
  blockNumber: bigint
  blockHash: Hex
}

const HIGHEST = 2n ** 62n

/**
 * Lists the blocks that must still be watched for reorgs: each block contains the outcome or the refund of an intent,
 * and this outcome or refund is not final yet. The lowest block is first. `from` and `upTo` are block numbers,
 * inclusive.
 */
export async function listWatchedBlocks(
  sql: Queryable,
  { from = 0n, upTo = HIGHEST, limit }: { from?: bigint; upTo?: bigint; limit: number },
): Promise<WatchedBlock[]> {
  return await sql<WatchedBlock[]>`
    select block_number, block_hash from intents
    where status in ('completed', 'failed') and watched and block_number is not null
      and block_number between ${from} and ${upTo}
    union
    select refund_block_number, refund_block_hash from intents
    where refund_status = 'refunded' and refund_watched and refund_block_number is not null
      and refund_block_number between ${from} and ${upTo}
    order by block_number limit ${limit}`
}

/**
 * Lists the intents whose outcome is in this block, if the outcome is not final yet. The intents have the order of
 * their transactions in the block.
 */
export async function listIntentsOfBlock(
  sql: Queryable,
  { blockNumber, blockHash }: WatchedBlock,
): Promise<BoundIntent[]> {
  const rows = await sql<IntentRow[]>`
    select * from intents
    where status in ('completed', 'failed') and watched
      and block_number = ${blockNumber} and block_hash = ${blockHash}
    order by block_position`
  return rows.map(toBoundIntent)
}

/** Lists the intents whose refund is in this block, if the refund is not final yet. */
export async function listRefundsOfBlock(
  sql: Queryable,
  { blockNumber, blockHash }: WatchedBlock,
): Promise<BoundIntent[]> {
  const rows = await sql<IntentRow[]>`
    select * from intents
    where refund_status = 'refunded' and refund_watched
      and refund_block_number = ${blockNumber} and refund_block_hash = ${blockHash}`
  return rows.map(toBoundIntent)
}

/**
 * Reopens a decided intent. Called if a reorg undid the outcome, or if the indexer contradicts the outcome. The
 * intent's signed transaction is sent again. The refund status is cleared. If the intent then fails again, the service
 * finds a refund that was already mined.
 *
 * If the intent was completed, the position of its first mined transaction is stored: the block in `undone_block`, the
 * index in `undone_position`. Undone intents are sent again in the order of these positions.
 * @param hash the transaction that performed the call, if it differs from the intent's stored transaction
 * @returns false when the intent has changed since it was read
 */
export async function reopenIntent(sql: Queryable, { id, version }: ReadIntent, hash?: Hex): Promise<boolean> {
  const rows = await sql`
    update intents set
      status = 'broadcast', tx_hash = coalesce(${hash ?? null}, tx_hash),
      undone_block = case when status = 'completed' then coalesce(undone_block, block_number) else undone_block end,
      undone_position = case when status = 'completed' and undone_block is null then block_position else undone_position end,
      block_number = null, block_hash = null, block_position = null, task_id = null, result = null, terminal_reason = null, failure = null,
      refund_status = null, refund_tx_hash = null, refund_block_number = null, refund_block_hash = null
    where id = ${id} and version = ${version} and status in ('completed', 'failed') and watched
    returning id`
  return rows.length === 1
}

/**
 * Reopens a failed intent because another account or relayer submitted its call, and the call was mined. The intent is
 * then completed from the logs of the mined transaction.
 * @param hash the transaction that performed the call
 * @returns false when the intent has changed since it was read
 */
export async function reopenSubmitted(sql: Queryable, { id, version }: ReadIntent, hash: Hex): Promise<boolean> {
  const rows = await sql`
    update intents set
      status = 'broadcast', watched = true, tx_hash = ${hash},
      block_number = null, block_hash = null, terminal_reason = null, failure = null
    where id = ${id} and version = ${version} and status = 'failed'
      and (relay_mode is null or relay_mode = 'bound')
    returning id`
  return rows.length === 1
}

/** Reopens a refund that a reorg undid. @returns false when the intent has changed since it was read */
export async function reopenRefund(sql: Queryable, { id, version }: ReadIntent): Promise<boolean> {
  const rows = await sql`
    update intents set refund_status = 'refunding', refund_block_number = null, refund_block_hash = null
    where id = ${id} and version = ${version} and refund_status = 'refunded' and refund_watched
    returning id`
  return rows.length === 1
}

/** Marks an intent's outcome as final. Final outcomes are not checked for reorgs. */
export async function finalizeIntent(sql: Queryable, { id, version }: ReadIntent): Promise<void> {
  await sql`
    update intents set watched = false
    where id = ${id} and version = ${version} and status in ('completed', 'failed')`
}

/** Marks an intent's refund as final. Final refunds are not checked for reorgs. */
export async function finalizeRefund(sql: Queryable, { id, version }: ReadIntent): Promise<void> {
  await sql`
    update intents set refund_watched = false
    where id = ${id} and version = ${version} and refund_status = 'refunded'`
}
