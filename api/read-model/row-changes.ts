import type { Database } from '../db/client.ts'

const HEAD_CHANNEL = 'market_head'
const TEXTS_CHANNEL = 'content_changed'

/** The channel of every indexed block, and the one of changed texts, passwords and drops. */
export const ROW_CHANNELS = [HEAD_CHANNEL, TEXTS_CHANNEL] as const

/**
 * The channel that receives the number of a block that changed no row, before `HEAD_CHANNEL` receives it. Older
 * releases of the indexer do not notify it.
 */
const IDLE_BLOCK_CHANNEL = 'market_idle_block'

/** The channel of the log of changes, which follows the rows of its block. */
export const EVENTS_CHANNEL = 'event_log'

/** The notified changes of the rows that answers are built from. */
export interface RowChanges {
  /** Listens to the database. */
  start(): Promise<void>
  /** Registers a listener for every notified change. @returns the function that removes it */
  onChange(listener: () => void): () => void
  /** Records a write of this process, or another change, so that earlier reads count as old. */
  note(): void
  /** Returns the present moment, of the rows alone or with the log of changes. A read in it counts as present. */
  moment(of: 'rows' | 'rows and log'): RowMoment
}

/** A period without a notified change. */
export interface RowMoment {
  /** The newest notified block, which changed no row if it is later than the beginning; null: none. */
  readonly block: bigint | null
}

/** The longest silence that still belongs to a moment, milliseconds: a notification can be lost. */
const MOMENT_MS = 3_000

/**
 * Watches for changes. @param sql the primary without a pooler: LISTEN belongs to one session
 * @param now milliseconds of a monotonic clock
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
  /**
   * Handles a block. The successor of the last block without a changed row continues the moment of the rows; the log
   * may follow it.
   */
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

/** Returns the block of a notification; null: none, as for a recovery. */
function readBlock(payload: string): bigint | null {
  return /^\d+$/.test(payload) ? BigInt(payload) : null
}
