import type { Database } from '../db/client.ts'
import { findIndexedHead, type IndexedHead } from './indexed-head.queries.ts'

/** The channel that the indexer notifies in the transaction that commits a block's rows. */
const CHANNEL = 'market_head'

/** The newest indexed block by notifications, so that no request reads it. */
export interface IndexedHeadWatch {
  /** Reads the head and listens for the next ones. */
  start(): Promise<void>
  /** Returns the head; null before the first block. */
  current(): IndexedHead | null
  /** Reads the present head. */
  refresh(): Promise<void>
}

/** Watches the head. @param sql the primary without a pooler: LISTEN belongs to one session */
export function watchIndexedHead(sql: Database): IndexedHeadWatch {
  let head: IndexedHead | null = null
  let begun = 0
  let answered = 0
  const refresh = async () => {
    begun += 1
    const turn = begun
    const found = await findIndexedHead(sql).catch(() => null)
    // The last value stays without an answer, and when an earlier read is answered after a later one.
    if (found === null || turn < answered) return
    answered = turn
    head = found
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
