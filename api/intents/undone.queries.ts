import type { Queryable } from '../db/client.ts'
import type { BoundIntent } from './intent.ts'

/** The state of the earlier writes that a reorg undid. */
export interface EarlierUndone {
  /** True if at least one of the writes that a reorg undid must still be mined again. */
  isAnyOpen: boolean
  /**
   * The newest block in which an earlier undone write was completed again. Null if no such write was completed again.
   */
  completedAt: bigint | null
}

/**
 * Returns the state of the undone writes on which an intent may depend. For an undone intent: the undone writes before
 * it, by block, index and id. For any other intent: the undone writes whose first block is at most the block of the
 * intent's bind.
 */
export async function findEarlierUndone(
  sql: Queryable,
  { id, undone, boundAtBlock }: Pick<BoundIntent, 'id' | 'undone' | 'boundAtBlock'>,
): Promise<EarlierUndone> {
  const earlierCondition =
    undone === null
      ? sql`undone_block <= ${boundAtBlock}`
      : sql`(undone_block, coalesce(undone_position, 0), id) < (${undone.blockNumber}, ${undone.index}, ${id}::uuid)`
  const [row] = await sql<EarlierUndone[]>`
    select coalesce(bool_or(status in ('recorded', 'broadcast')), false) as is_any_open,
      max(block_number) filter (where status = 'completed') as completed_at
    from intents
    where undone_block is not null and id <> ${id} and ${earlierCondition}
      and (watched or status in ('recorded', 'broadcast'))`
  if (row === undefined) throw new Error('an aggregate has one row')
  return row
}
