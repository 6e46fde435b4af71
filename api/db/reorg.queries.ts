import type { Hex } from 'viem'
import type { Queryable } from './client.ts'

/** A block that decided intents which are still watched. */
export interface WatchedBlock {
  blockNumber: bigint
  blockHash: Hex
}

const HIGHEST = 2n ** 62n

/** Blocks within a range of heights whose intents a reorg could still undo, oldest first. */
export async function listWatchedBlocks(
  sql: Queryable,
  { from = 0n, upTo = HIGHEST, limit }: { from?: bigint; upTo?: bigint; limit: number },
): Promise<WatchedBlock[]> {
  return await sql<WatchedBlock[]>`
    select distinct block_number, block_hash from intents
    where status in ('completed', 'failed') and watched and block_number is not null
      and block_number between ${from} and ${upTo}
    order by block_number limit ${limit}`
}

/** Sends the intents of a block that is gone back on their way: the same bytes will be sent again. */
export async function reopenIntents(sql: Queryable, { blockNumber, blockHash }: WatchedBlock): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update intents set
      status = 'broadcast', block_number = null, block_hash = null, task_id = null, result = null,
      terminal_reason = null, failure = null
    where status in ('completed', 'failed') and watched
      and block_number = ${blockNumber} and block_hash = ${blockHash}
    returning id`
  return rows.map(({ id }) => id)
}

/** The intents of a block that stays are final. */
export async function releaseIntents(sql: Queryable, { blockNumber, blockHash }: WatchedBlock): Promise<void> {
  await sql`
    update intents set watched = false
    where status in ('completed', 'failed') and watched
      and block_number = ${blockNumber} and block_hash = ${blockHash}`
}
