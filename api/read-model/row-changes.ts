import type { Database } from '../db/client.ts'

const HEAD_CHANNEL = 'market_head'
const TEXTS_CHANNEL = 'content_changed'

/**
 * The channels that notify every indexed block, and every change to task contents, passwords of private tasks and task
 * drops.
 */
export const ROW_CHANNELS = [HEAD_CHANNEL, TEXTS_CHANNEL] as const

/**
 * The channel that announces blocks that changed no row. Such a block's number is sent on this channel first, and then
 * on `HEAD_CHANNEL`. Older releases of the indexer do not use this channel.
 */
const IDLE_BLOCK_CHANNEL = 'market_idle_block'

/**
 * The channel that notifies new entries in the log of events. An entry is added after the rows of its block are
 * committed.
 */
export const EVENTS_CHANNEL = 'event_log'

/** Watches the database's notifications of changes to the rows that answers are built from. */
export interface RowChanges {
  /** Starts to listen to the notifications. */
  start(): Promise<void>
  /**
   * Registers a listener that is called after every notified change.
   * @returns the function that removes the listener
   */
  onChange(listener: () => void): () => void
  /** Records a write of this process or another change. The period that `moment` returned ends. */
  note(): void
  /**
   * Returns the present period without a notified change. `of` selects the changes that end a period: changes of rows,
   * or changes of rows and of the event log. If a later call returns the same object, reads between the two calls are
   * still current.
   */
  moment(of: 'rows' | 'rows and log'): RowMoment
}

/** A period without a notified change of rows. */
export interface RowMoment {
  /**
   * The newest notified block, or null if no block was notified. Blocks that were notified after the period's start
   * changed no row.
   */
  readonly block: bigint | null
}

/** The time after which a period without any notification ends, in milliseconds. A notification can be lost. */
const MOMENT_MS = 3_000

/**
 * Creates a watch of the notified changes.
 * @param sql the primary without a pooler, because LISTEN belongs to one database session
 * @param now returns the time of a monotonic clock in milliseconds
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
   * Handles the notification of a block. If the block changed no row and directly follows the block that was notified
   * before, the present period of the rows continues. The period of the event log ends in any case, because an entry
   * may follow the block.
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

/**
 * Returns the block number of a notification. Returns null if the payload is not a number, which happens after a
 * recovery.
 */
function readBlock(payload: string): bigint | null {
  return /^\d+$/.test(payload) ? BigInt(payload) : null
}
