import type { Database } from '../../../api/db/client.ts'

/** A block a second, as the indexer and the node show it, from `start` on. */
export interface MovingChain {
  /** Begins, or goes on; returns what stops it. */
  move(): () => Promise<void>
}

/** Tasks that a block changes, and of how many of the newest. */
const CHANGED = 5
const NEWEST = 100

/**
 * @param mine mines a block of this time, Unix seconds
 * @param now the time of the last block
 */
export function createMovingChain(sql: Database, mine: (time: number) => Promise<void>, now: number): MovingChain {
  let time = now
  const block = async () => {
    time += 1
    await sql.begin(async (tx) => {
      await tx`
        update task set submission_count = submission_count + 1, event_count = event_count + 1
        where id in (
          select id from (select id from task where listed order by created_at_ms desc limit ${NEWEST}) as newest
          order by random() limit ${CHANGED})`
      await tx`
        update indexed_head set block_number = block_number + 1, block_timestamp = ${BigInt(time)},
          version = (version::bigint + 1)::text`
    })
    await mine(time)
  }
  return {
    move: () => {
      let last = Promise.resolve()
      const timer = setInterval(() => {
        last = last.then(block)
      }, 1_000)
      return async () => {
        clearInterval(timer)
        await last
      }
    },
  }
}
