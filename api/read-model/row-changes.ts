import type { Database } from '../db/client.ts'

const HEAD_CHANNEL = 'market_head'
const TEXTS_CHANNEL = 'content_changed'

/**
 * The channels of two kinds of notifications: every indexed block, and every change to task contents, task passwords
 * and task drops.
 */
export const ROW_CHANNELS = [HEAD_CHANNEL, TEXTS_CHANNEL] as const

/**
 * The channel on which the indexer marks blocks that changed no row. It sends the number of such a block on this
 * channel, and then on `HEAD_CHANNEL`, as for every block. Older releases of the indexer do not use this channel.
 */
const IDLE_BLOCK_CHANNEL = 'market_idle_block'

/** The channel for new entries in the log of events. An entry is added after the commit of its block. */
export const EVENTS_CHANNEL = 'event_log'

/** Watches the database's notifications of changes to the rows that answers are built from. */
export interface RowChanges {
  /** Starts to listen to the notifications. */
  start(): Promise<void>
  /**
   * Registers a listener that is called when the database notifies a change of rows, or a new block.
   * @returns the function that removes the listener
   */
  onChange(listener: () => void): () => void
  /** Records a change, such as a write of this process. After this call, `moment` returns a new object. */
  note(): void
  /**
   * Returns an object that stands for the present state of the rows. Two calls return the same object only if no change
   * was notified between them. `rows`: a change of rows leads to a new object. `rows and log`: a new entry in the log of
   * events and a new block lead to a new object too. Without any notification, a new object follows after three seconds.
   */
  moment(of: 'rows' | 'rows and log'): RowMoment
}

/**
 * The result of `RowChanges.moment`. The same object stands for the same state of the rows, as far as changes were
 * notified.
 */
export interface RowMoment {
  /**
   * The newest notified block, or null if no block was notified. If a later block changes no row, `block` is set to the
   * later block, and the object stays the same.
   */
  readonly block: bigint | null
}

/**
 * The milliseconds without a notification after which `moment` returns a new object, because a notification can be
 * lost.
 */
const MOMENT_MS = 3_000

/**
 * Creates a watcher that listens to the database's notifications of changes (LISTEN).
 * @param sql the primary without a pooler, because LISTEN belongs to one database session
 * @param now returns the time of a monotonic clock in milliseconds
 */
export function watchRowChanges(sql: Database, now: () => number = () => performance.now()): RowChanges {
  const listeners = new Set<() => void>()
  let block: bigint | null = null
  let idleBlock: bigint | null = null
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
   * Handles the notification of a block. If the block changed no row and directly follows the last notified block,
   * `moment('rows')` still returns the same object. After any other block, `moment('rows')` returns a new object.
   * `moment('rows and log')` returns a new object after every block.
   */
  const hearBlock = (payload: string) => {
    const before = block
    block = readBlock(payload)
    const isIdle = block !== null && idleBlock === block && before !== null && block === before + 1n
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
    idleBlock = readBlock(payload)
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
      const change = find(of) ?? { block, heardAt: now() }
      moments[of] = change
      return change
    },
  }
}

/**
 * Returns the block number of a notification. Returns null if the payload is not a number. Example: the indexer sends
 * an empty payload before and after a recovery.
 */
function readBlock(payload: string): bigint | null {
  return /^\d+$/.test(payload) ? BigInt(payload) : null
}
