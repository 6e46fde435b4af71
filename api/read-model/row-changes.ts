import type { Database } from '../db/client.ts'

const HEAD_CHANNEL = 'market_head'
const TEXTS_CHANNEL = 'content_changed'

/** The channel that the indexer notifies of every block, and the one of changed texts, passwords and drops. */
export const ROW_CHANNELS = [HEAD_CHANNEL, TEXTS_CHANNEL] as const

/** The channel that it notifies before, with the number of a block that changed no row. Older releases notify none. */
const IDLE_BLOCK_CHANNEL = 'market_idle_block'

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

/** A time in which no change was heard of. */
export interface RowMoment {
  /** The newest block that was heard of, which changed no row where it is later than the begin; null: none was. */
  readonly block: bigint | null
}

/** The longest time without news of the next block, or of anything, that still belongs to a moment: a notification can be lost. */
const MOMENT_MS = 3_000

/**
 * @param sql the primary, without a pooler in between: LISTEN belongs to one session
 * @param now milliseconds of a clock that only moves forward
 */
export function watchRowChanges(sql: Database, now: () => number = () => performance.now()): RowChanges {
  const listeners = new Set<() => void>()
  let block: bigint | null = null
  let idle: bigint | null = null
  const moments: Partial<Record<'rows' | 'rows and log', { block: bigint | null; heardAt: number }>> = {}
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
  /** A block that follows the one before and changed no row continues the moment of the rows; the log may follow it. */
  const hearBlock = (payload: string) => {
    const before = block
    block = readBlock(payload)
    const isIdle = block !== null && idle === block && before !== null && block === before + 1n
    const moment = isIdle ? find('rows') : undefined
    if (moment === undefined) note()
    else Object.assign(moment, { block, heardAt: now() })
    noteLog()
    for (const listener of listeners) listener()
  }
  const find = (of: 'rows' | 'rows and log') => {
    const moment = moments[of]
    return moment !== undefined && now() - moment.heardAt < MOMENT_MS ? moment : undefined
  }
  const noteIdle = (payload: string) => {
    idle = readBlock(payload)
  }
  const listenAgain = () => {
    block = null
    tell()
  }
  sql.onClose(note)
  return {
    start: async () => {
      await sql.listen(IDLE_BLOCK_CHANNEL, noteIdle, listenAgain)
      await sql.listen(HEAD_CHANNEL, hearBlock, listenAgain)
      await sql.listen(TEXTS_CHANNEL, tell, tell)
      await sql.listen(EVENTS_CHANNEL, noteLog, noteLog)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    note,
    moment: (of) => {
      const begun = find(of) ?? { block, heardAt: now() }
      moments[of] = begun
      return begun
    },
  }
}

/** The block that a notification names; null: none, as of a recovery. */
function readBlock(payload: string): bigint | null {
  return /^\d+$/.test(payload) ? BigInt(payload) : null
}
