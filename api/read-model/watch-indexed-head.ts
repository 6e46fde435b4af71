import type { Database } from '../db/client.ts'
import { findIndexedHead, type IndexedHead } from './indexed-head.queries.ts'

/** The channel that the indexer notifies in the transaction that commits a block's rows. */
const CHANNEL = 'market_head'

/** Keeps the newest indexed block in memory. Notifications update it, so requests need no query. */
export interface IndexedHeadWatch {
  /** Reads the newest indexed block and starts to listen for later indexed blocks. */
  start(): Promise<void>
  /** Returns the newest known indexed block, or null before the first block is indexed. */
  current(): IndexedHead | null
  /** Queries the newest indexed block again. */
  refresh(): Promise<void>
}

/**
 * Creates the watch of the newest indexed block.
 * @param sql the primary without a pooler, because LISTEN belongs to one database session
 */
export function watchIndexedHead(sql: Database): IndexedHeadWatch {
  let head: IndexedHead | null = null
  let readingCount = 0
  let answeredTurn = 0
  const refresh = async () => {
    readingCount += 1
    const turn = readingCount
    const indexedHead = await findIndexedHead(sql).catch(() => null)
    // The last value remains if the query fails, or if an earlier query is answered after a later one.
    if (indexedHead === null || turn < answeredTurn) return
    answeredTurn = turn
    head = indexedHead
  }
  return {
    start: async () => {
      await sql.listen(CHANNEL, refresh, refresh)
      await refresh()
    },
    current: () => head,
    refresh,
  }
}
