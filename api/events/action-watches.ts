import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** The most watched wallets of a process, and streams with a queue of one client. */
const WATCHED_AT_MOST = 1_000
const STREAMS_OF_CLIENT = 5
/** The pause between two readings of one queue, and after a failed one, milliseconds. */
const READING_PAUSE_MS = 500
/**
 * The pause between readings as a multiple of their duration, so that queues of others use a quarter of a connection.
 */
const REST_FACTOR = 3

/** A queue with the changes that affect it. */
export interface ActionQueueReading {
  /** The answer of `GET /api/agents/action-queue`. */
  queue: { items: readonly { id: string }[] }
  /** The tasks that were read: an event of one of them may change the queue. */
  taskIds: ReadonlySet<Hex>
  /** The time at which it may change without an event, Unix seconds of the chain; null: never. */
  changesAt: bigint | null
}

/** Reads the queue of a wallet, with the rows that the wallet itself sees (`isOwn`) or the public ones. */
export type ReadActionQueue = (wallet: Address, isOwn: boolean) => Promise<ActionQueueReading>

/** The parts of the process that watches use. */
export interface ActionWatchesDeps {
  readQueue: ReadActionQueue
  log: Logger
}

/** A stream that carries a queue. */
export interface QueueReader {
  client: string
  wallet: Address
  isOwn: boolean
  /** Writes messages; false: the stream is full, and receives the whole queue next time. */
  write(text: string): boolean
}

/** The fields of an event that queues depend on. */
interface QueueEvent {
  taskId: Hex | null
  parties: readonly Address[]
  privateParties: readonly Address[]
}

/** The watches of wallets' action queues. A change causes one reading for all streams of a queue. */
export interface ActionWatches {
  /** Returns the reason why the client may open no more of these streams; null: it may. */
  findRefusal(reader: Pick<QueueReader, 'client' | 'wallet' | 'isOwn'>): 'client' | 'process' | null
  /** Writes the whole queue to the reader once it is read, and then its changes. */
  join(reader: QueueReader): void
  /** Writes the changes that a reader missed while its stream was full. */
  catchUp(reader: QueueReader): void
  leave(reader: QueueReader): void
  /** Reads the queues that the events or the time may have changed. */
  noteChanges(events: readonly QueueEvent[], now: bigint): void
}

interface Watch {
  wallet: Address
  isOwn: boolean
  /** The readers; true: the reader has the items of `sent`; false: it receives the whole queue next. */
  readers: Map<QueueReader, boolean>
  /** The digest of each sent item by its id. */
  sent: Map<string, string>
  taskIds: ReadonlySet<Hex>
  changesAt: bigint | null
  isDue: boolean
  isRunning: boolean
}

/** Creates the watches, with none open. Example: `createActionWatches({ readQueue, log }).join(reader)`. */
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

/** Creates a semaphore for one reading at a time, in the order of calls. */
function createTurns() {
  return createSemaphore({ atOnce: 1, maxWaiting: WATCHED_AT_MOST, fact: 'Too many action queues are to be read' })
}

function keyOf({ wallet, isOwn }: Pick<QueueReader, 'wallet' | 'isOwn'>): string {
  return `${wallet} ${isOwn}`
}

function toWatch({ wallet, isOwn }: QueueReader): Watch {
  const [readers, sent] = [new Map<QueueReader, boolean>(), new Map<string, string>()]
  return { wallet, isOwn, readers, sent, taskIds: new Set(), changesAt: null, isDue: false, isRunning: false }
}

function concerns({ taskId, parties, privateParties }: QueueEvent, { wallet, isOwn, taskIds }: Watch): boolean {
  if (taskId !== null && taskIds.has(taskId)) return true
  return parties.includes(wallet) || (isOwn && privateParties.includes(wallet))
}

/** Sends each reader the changes it lacks. */
function tell(watch: Watch, { queue, taskIds, changesAt }: ActionQueueReading): void {
  const texts = new Map(queue.items.map((item) => [item.id, JSON.stringify(item)]))
  const digests = new Map([...texts].map(([id, text]) => [id, hash('sha1', text, 'base64')]))
  const closed = [...watch.sent.keys()].filter((id) => !digests.has(id))
  const available = [...texts].filter(([id]) => digests.get(id) !== watch.sent.get(id))
  const changes = [
    ...closed.map((id) => toMessage('action.closed', JSON.stringify({ id }))),
    ...available.map(([, text]) => toMessage('action.available', text)),
  ].join('')
  const whole = toMessage('actions', JSON.stringify(queue))
  for (const [reader, hasRest] of watch.readers) {
    const text = hasRest ? changes : whole
    if (text !== '') watch.readers.set(reader, reader.write(text))
  }
  Object.assign(watch, { sent: digests, taskIds, changesAt })
}

function toMessage(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`
}
