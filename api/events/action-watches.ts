import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** The largest number of action queues that one process watches. */
const WATCHED_AT_MOST = 1_000
/** The largest number of streams with an action queue that one client may have open. */
const STREAMS_OF_CLIENT = 5
/** The pause in milliseconds after each read of one action queue. The pause follows a failed read too. */
const READING_PAUSE_MS = 500
/**
 * The pause after the queue of a wallet was read for a caller who is not the wallet, as a multiple of the duration of
 * this read. With the value 3, such reads use a database connection for at most a quarter of the time.
 */
const REST_FACTOR = 3

/** An action queue, the tasks that may change it, and the time at which it may change. */
export interface ActionQueueReading {
  /** The answer of `GET /api/agents/action-queue`. */
  queue: { items: readonly { id: string }[] }
  /** The tasks that were read for the queue. An event of one of these tasks may change the queue. */
  taskIds: ReadonlySet<Hex>
  /**
   * The time, in Unix seconds of the chain, at which the queue may change although no event occurs. Null if only events
   * can change the queue.
   */
  changesAt: bigint | null
}

/**
 * Reads the action queue of a wallet. If `isOwn` is true, the reader of the queue is the wallet and gets all rows. If
 * `isOwn` is false, the reader is someone else and gets the public rows.
 */
export type ReadActionQueue = (wallet: Address, isOwn: boolean) => Promise<ActionQueueReading>

/** The dependencies of `createActionWatches`. */
export interface ActionWatchesDeps {
  readQueue: ReadActionQueue
  log: Logger
}

/** An event stream that also carries the action queue of a wallet. */
export interface QueueReader {
  client: string
  wallet: Address
  isOwn: boolean
  /**
   * Writes messages to the stream. Returns false if the buffer of the stream is full. The stream then gets the whole
   * queue later.
   */
  write(text: string): boolean
}

/** The fields of an event that decide which action queues may change. */
interface QueueEvent {
  taskId: Hex | null
  parties: readonly Address[]
  privateParties: readonly Address[]
}

/**
 * Watches the action queues of wallets for event streams. After a change, a queue is read once for all streams that
 * carry the queue.
 */
export interface ActionWatches {
  /**
   * Returns null if the client may open a stream with this queue. Otherwise returns the limit that the stream would
   * exceed: `client` (streams of one client) or `process` (watched queues of this process).
   */
  findRefusal(reader: Pick<QueueReader, 'client' | 'wallet' | 'isOwn'>): 'client' | 'process' | null
  /**
   * Adds an event stream. The stream first gets the whole action queue of its wallet, and later the changes of the
   * queue.
   */
  join(reader: QueueReader): void
  /** Sends the whole queue to a stream that missed changes because its buffer was full. */
  catchUp(reader: QueueReader): void
  /** Removes an event stream. */
  leave(reader: QueueReader): void
  /**
   * Reads a watched queue again if one of the events may have changed it, or if its time `changesAt` has come. `now` is
   * in Unix seconds of the chain.
   */
  noteChanges(events: readonly QueueEvent[], now: bigint): void
}

/** The watch of the action queue of one wallet. */
interface Watch {
  wallet: Address
  isOwn: boolean
  /**
   * The streams of the queue. The value is true if the stream has all items of `sent`. The value is false if the
   * stream must get the whole queue next.
   */
  readers: Map<QueueReader, boolean>
  /** The items of the queue as they were last sent to the streams: each item's digest, by the item's id. */
  sent: Map<string, string>
  taskIds: ReadonlySet<Hex>
  changesAt: bigint | null
  isDue: boolean
  isRunning: boolean
}

/**
 * Creates the watches of action queues; at first no queue is watched. Example: `createActionWatches({ readQueue, log
 * }).join(reader)`.
 */
export function createActionWatches({ readQueue, log }: ActionWatchesDeps): ActionWatches {
  const watches = new Map<string, Watch>()
  const countOf = new Map<string, number>()
  // Callers with their own queue have a separate semaphore from readers of others' queues.
  const turns = { own: createTurns(), others: createTurns() }

  const run = async (watch: Watch) => {
    if (watch.isRunning) return
    watch.isRunning = true
    while (watch.isDue && watch.readers.size > 0) {
      await turns[watch.isOwn ? 'own' : 'others'](() => read(watch)).catch((error) => {
        watch.isDue = true
        log.warn({ err: error }, 'action queue read failed')
      })
      await pause(READING_PAUSE_MS, undefined, { ref: false })
    }
    watch.isRunning = false
  }

  const read = async (watch: Watch) => {
    // Its streams may have closed meanwhile.
    if (watch.readers.size === 0) return
    watch.isDue = false
    const startedAt = performance.now()
    tell(watch, await readQueue(watch.wallet, watch.isOwn))
    if (!watch.isOwn) await pause(REST_FACTOR * (performance.now() - startedAt), undefined, { ref: false })
  }

  return {
    findRefusal: ({ client, ...reader }) => {
      if ((countOf.get(client) ?? 0) >= STREAMS_OF_CLIENT) return 'client'
      return watches.size >= WATCHED_AT_MOST && !watches.has(keyOf(reader)) ? 'process' : null
    },
    join: (reader) => {
      const key = keyOf(reader)
      const watch = watches.get(key) ?? toWatch(reader)
      watches.set(key, watch)
      countOf.set(reader.client, (countOf.get(reader.client) ?? 0) + 1)
      watch.readers.set(reader, false)
      watch.isDue = true
      run(watch)
    },
    catchUp: (reader) => {
      const watch = watches.get(keyOf(reader))
      if (watch?.readers.get(reader) !== false) return
      watch.isDue = true
      run(watch)
    },
    leave: (reader) => {
      const key = keyOf(reader)
      const watch = watches.get(key)
      if (watch === undefined || !watch.readers.delete(reader)) return
      if (watch.readers.size === 0) watches.delete(key)
      const count = (countOf.get(reader.client) ?? 1) - 1
      if (count === 0) countOf.delete(reader.client)
      else countOf.set(reader.client, count)
    },
    noteChanges: (events, now) => {
      for (const watch of watches.values()) {
        const isTimely = watch.changesAt !== null && watch.changesAt <= now
        if (!isTimely && !events.some((event) => concerns(event, watch))) continue
        watch.isDue = true
        run(watch)
      }
    },
  }
}

/** Creates a semaphore that lets one action queue be read at a time, in the order of the calls. */
function createTurns() {
  return createSemaphore({ atOnce: 1, maxWaiting: WATCHED_AT_MOST, fact: 'Too many action queues are to be read' })
}

function keyOf({ wallet, isOwn }: Pick<QueueReader, 'wallet' | 'isOwn'>): string {
  return `${wallet} ${isOwn}`
}

function toWatch({ wallet, isOwn }: QueueReader): Watch {
  const [readers, sentItems] = [new Map<QueueReader, boolean>(), new Map<string, string>()]
  return {
    wallet,
    isOwn,
    readers,
    sent: sentItems,
    taskIds: new Set(),
    changesAt: null,
    isDue: false,
    isRunning: false,
  }
}

function concerns({ taskId, parties, privateParties }: QueueEvent, { wallet, isOwn, taskIds }: Watch): boolean {
  if (taskId !== null && taskIds.has(taskId)) return true
  return parties.includes(wallet) || (isOwn && privateParties.includes(wallet))
}

/**
 * Sends the result of a new read to the streams of the queue. If a stream has all items that were sent last, the stream
 * gets only the new, changed and closed items. Otherwise, the stream gets the whole queue.
 */
function tell(watch: Watch, { queue, taskIds, changesAt }: ActionQueueReading): void {
  const texts = new Map(queue.items.map((item) => [item.id, JSON.stringify(item)]))
  const digests = new Map([...texts].map(([id, text]) => [id, hash('sha1', text, 'base64')]))
  const closedIds = [...watch.sent.keys()].filter((id) => !digests.has(id))
  const availableItems = [...texts].filter(([id]) => digests.get(id) !== watch.sent.get(id))
  const changes = [
    ...closedIds.map((id) => toMessage('action.closed', JSON.stringify({ id }))),
    ...availableItems.map(([, text]) => toMessage('action.available', text)),
  ].join('')
  const wholeQueue = toMessage('actions', JSON.stringify(queue))
  for (const [reader, hasRest] of watch.readers) {
    const text = hasRest ? changes : wholeQueue
    if (text !== '') watch.readers.set(reader, reader.write(text))
  }
  Object.assign(watch, { sent: digests, taskIds, changesAt })
}

function toMessage(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`
}
