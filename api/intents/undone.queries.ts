import type { Queryable } from '../db/client.ts'
import type { BoundIntent } from './intent.ts'

/**
 * The state of the undone writes that come before an intent (see `findEarlierUndone`). A write is undone if it was
 * completed and a reorg then removed its block.
 */
export interface EarlierUndone {
  /** True if at least one undone write before the intent must still be mined again. */
  isAnyOpen: boolean
  /**
   * The newest block in which an undone write before the intent was completed again. Null if no undone write was
   * completed again.
   */
  completedAt: bigint | null
}

/**
 * Returns the state of the undone writes on which an intent may depend.
 * - If the intent itself was undone, it may depend on the undone writes with a lower position. Positions are compared
 * by the block of the first completion, then by the index in the block, then by the id.
 * - If the intent was not undone, it may depend on the undone writes that were first mined in or before the block at
 * which the intent was bound.
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
