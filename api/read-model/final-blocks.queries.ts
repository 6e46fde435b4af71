import type { Queryable } from '../db/client.ts'

/** The depth below the head that is beyond any reorg the indexer follows, blocks: twice its finality on Base. */
export const FINAL_DEPTH = 64n

/** A block of the indexed chain. `time`: no block above it is older, Unix seconds. */
export interface Boundary {
  block: bigint
  time: bigint
}

/** Returns the boundary at a block, by the newest task created up to it, or null. */
export async function findBoundary(sql: Queryable, block: bigint): Promise<Boundary | null> {
  const rows = await sql<{ time: bigint }[]>`
    select block_timestamp as time from task_event
    where name = 'TaskCreated' and block_number <= ${block}
    order by block_timestamp desc limit 1`
  return rows[0] === undefined ? null : { block, time: rows[0].time }
}
