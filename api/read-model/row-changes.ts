import type { Database } from '../db/client.ts'

/** The channel that the indexer notifies of every block, and the one of changed texts, passwords and drops. */
export const ROW_CHANNELS = ['market_head', 'content_changed'] as const

/** The channel that is notified with every change of the log of changes, which follows the rows of its block. */
export const EVENTS_CHANNEL = 'event_log'

/** Changes of the rows that answers are made of, as far as this process hears of them. */
export interface RowChanges {
  /** Listens to the database. */
  start(): Promise<void>
  /** Has `listener` called at every change that the database tells of. @returns what ends that */
  onChange(listener: () => void): () => void
  /** Notes a write of this process, or another change: what was read before it may be over. */
  note(): void
  /** The moment of now, of the rows alone or of the log of changes too. What was read in it is taken for what would be read now. */
  moment(of: 'rows' | 'rows and log'): RowMoment
}

/** A time in which no change was heard of, of three seconds at most: a notification can be lost. */
export interface RowMoment {
  /** Milliseconds of the clock. */
  readonly since: number
}

const MOMENT_MS = 3_000

/**
 * @param sql the primary, without a pooler in between: LISTEN belongs to one session
 * @param now milliseconds of a clock that only moves forward
 */
export function watchRowChanges(sql: Database, now: () => number = () => performance.now()): RowChanges {
  const listeners = new Set<() => void>()
  const moments: Partial<Record<'rows' | 'rows and log', RowMoment>> = {}
  const noteLog = () => {
    delete moments['rows and log']
  }
  const note = () => {
    delete moments.rows
    noteLog()
  }
  const tell = () => {
    note()
    for (const listener of listeners) listener()
  }
  sql.onClose(note)
  return {
    start: async () => {
      for (const channel of ROW_CHANNELS) await sql.listen(channel, tell, tell)
      await sql.listen(EVENTS_CHANNEL, noteLog, noteLog)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    note,
    moment: (of) => {
      const time = now()
      const known = moments[of]
      if (known !== undefined && time - known.since < MOMENT_MS) return known
      const begun = { since: time }
      moments[of] = begun
      return begun
    },
  }
}
