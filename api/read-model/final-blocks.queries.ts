import type { Queryable } from '../db/client.ts'

/**
 * The number of newest blocks that are not final: twice the depth at which Ponder treats a Base block as final. The
 * indexer does not handle a deeper reorg.
 */
export const FINAL_DEPTH = 64n

/**
 * A boundary between the blocks up to `block` and all later blocks of the indexed chain. Every later block has the
 * timestamp `time` (Unix seconds) or a later one.
 */
export interface Boundary {
  block: bigint
  time: bigint
}

/**
 * Returns the boundary between the blocks up to `block` and all later blocks. `time` is the creation time of the newest
 * task up to `block`. Returns null if no task exists up to `block`.
 */
export async function findBoundary(sql: Queryable, block: bigint): Promise<Boundary | null> {
  const rows = await sql<{ time: bigint }[]>`
    select block_timestamp as time from task_event
    where name = 'TaskCreated' and block_number <= ${block}
    order by block_timestamp desc limit 1`
  return rows[0] === undefined ? null : { block, time: rows[0].time }
}
