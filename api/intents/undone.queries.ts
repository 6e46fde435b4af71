import type { Queryable } from '../db/client.ts'
import type { BoundIntent } from './intent.ts'

/** The writes before one that a reorg undid. */
export interface EarlierUndone {
  /** True if at least one of them must be mined again. */
  isAnyOpen: boolean
  /** The newest block that completed one of them again; null: none. */
  completedAt: bigint | null
}

/**
 * Returns the undone writes that an intent may depend on. For an undone intent they are those before it, by block,
 * position and id, so that no two wait for each other. For another one they are those whose first block it was bound
 * on.
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
