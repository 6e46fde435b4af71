import type { Queryable } from '../db/client.ts'
import type { BoundIntent } from './intent.ts'

/** The state of the writes that precede an intent and that a reorg undid. */
export interface EarlierUndone {
  /** True if at least one of the earlier undone writes must still be mined again. */
  isAnyOpen: boolean
  /** The newest block in which one of the earlier undone writes was completed again; null if there is none. */
  completedAt: bigint | null
}

/**
 * Returns the state of the undone writes that an intent may depend on. If the intent itself was undone: the undone
 * writes that precede the intent by block, index and id, so that no two intents wait for each other. Else: the undone
 * writes whose first block was not newer than the block at which the intent was bound.
 */
export async function findEarlierUndone(
  sql: Queryable,
  { id, undone, boundAtBlock }: Pick<BoundIntent, 'id' | 'undone' | 'boundAtBlock'>,
): Promise<EarlierUndone> {
  const isEarlier =
    undone === null
      ? sql`undone_block <= ${boundAtBlock}`
      : sql`(undone_block, coalesce(undone_position, 0), id) < (${undone.blockNumber}, ${undone.index}, ${id}::uuid)`
  const [row] = await sql<EarlierUndone[]>`
    select coalesce(bool_or(status in ('recorded', 'broadcast')), false) as is_any_open,
      max(block_number) filter (where status = 'completed') as completed_at
    from intents
    where undone_block is not null and id <> ${id} and ${isEarlier}
      and (watched or status in ('recorded', 'broadcast'))`
  if (row === undefined) throw new Error('an aggregate has one row')
  return row
}
