import type { Database } from '../db/client.ts'

/** The channel that the indexer notifies of every block, and the one of changed texts, passwords and drops. */
export const ROW_CHANNELS = ['market_head', 'content_changed'] as const

/** Changes of the rows that answers are made of, as far as this process hears of them. */
export interface RowChanges {
  /** Listens to the database. */
  start(): Promise<void>
  /** Has `listener` called at every change that the database tells of. @returns what ends that */
  onChange(listener: () => void): () => void
  /** Notes a write of this process: what was read before it may be over. */
  note(): void
  /** How many changes there were: rows that were read at another count may be others now. */
  count(): number
}

/** @param sql the primary, without a pooler in between: LISTEN belongs to one session */
export function watchRowChanges(sql: Database): RowChanges {
  const listeners = new Set<() => void>()
  let changes = 0
  const note = () => {
    changes += 1
  }
  const tell = () => {
    note()
    for (const listener of listeners) listener()
  }
  sql.onClose(note)
  return {
    start: async () => {
      for (const channel of ROW_CHANNELS) await sql.listen(channel, tell, tell)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    note,
    count: () => changes,
  }
}
