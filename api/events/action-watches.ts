import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** Wallets whose queue a process watches, and streams of one client that carry one. */
const WATCHED_AT_MOST = 1_000
const STREAMS_OF_CLIENT = 5
/** Between two readings of one queue, and after one that failed, milliseconds. */
const READING_PAUSE_MS = 500
/** Readings rest for so many times what they took: the queues of strangers cost a quarter of a connection. */
const REST_FACTOR = 3

/** A queue as it is now, and the changes that it depends on. */
export interface ActionQueueReading {
  /** The answer of `GET /api/agents/action-queue`. */
  queue: { items: readonly { id: string }[] }
  /** Tasks that were looked through: an event of one of them may change the queue. */
  taskIds: ReadonlySet<Hex>
  /** When time alone may change it, Unix seconds of the chain; null: never. */
  changesAt: bigint | null
}

/** Reads the queue of a wallet; `isOwn`: as the wallet itself may see it, else as everyone may. */
export type ReadActionQueue = (wallet: Address, isOwn: boolean) => Promise<ActionQueueReading>

/** Parts of the process that watches need. */
export interface ActionWatchesDeps {
  readQueue: ReadActionQueue
  log: Logger
}

/** A stream that carries a queue. */
export interface QueueReader {
  client: string
  wallet: Address
  isOwn: boolean
  /** Writes messages; false: the stream takes none now, and is given the whole queue next time. */
  write(text: string): boolean
}

/** An event as far as queues depend on it. */
interface QueueEvent {
  taskId: Hex | null
  parties: readonly Address[]
  privateParties: readonly Address[]
}

/** The action queues of wallets, read once for all streams that carry them, when something has changed. */
export interface ActionWatches {
  /** Says why the client may open no more of these streams; null: it may. */
  findRefusal(reader: Pick<QueueReader, 'client' | 'wallet' | 'isOwn'>): 'client' | 'process' | null
  /** Writes the whole queue to the reader as soon as it is read, and then what changes. */
  join(reader: QueueReader): void
  /** Writes what a reader has missed while its stream took nothing. */
  catchUp(reader: QueueReader): void
  leave(reader: QueueReader): void
  /** Reads the queues that the events or the time may have changed. */
  noteChanges(events: readonly QueueEvent[], now: bigint): void
}

interface Watch {
  wallet: Address
  isOwn: boolean
  /** True: it has what `sent` says; false: it is to be given the whole queue. */
  readers: Map<QueueReader, boolean>
  /** A digest of each item by its id, as readers have it. */
  sent: Map<string, string>
  taskIds: ReadonlySet<Hex>
  changesAt: bigint | null
  isDue: boolean
  isRunning: boolean
}

/** Starts without a watch. */
export function createActionWatches({ readQueue, log }: ActionWatchesDeps): ActionWatches {
  const watches = new Map<string, Watch>()
  const countOf = new Map<string, number>()
  // Who asks for their own queue does not wait for those who ask for the queues of others.
  const turns = { own: createTurns(), others: createTurns() }

  const run = async (watch: Watch) => {
    if (watch.isRunning) return
    watch.isRunning = true
    while (watch.isDue && watch.readers.size > 0) {
      await turns[watch.isOwn ? 'own' : 'others'](() => read(watch)).catch((error) => {
        watch.isDue = true
        log.warn({ err: error }, 'could not read an action queue for streams')
      })
      await pause(READING_PAUSE_MS, undefined, { ref: false })
    }
    watch.isRunning = false
  }

  const read = async (watch: Watch) => {
    // Its streams may have gone while it waited.
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

/** Runs one reading at a time, in the order of calls. */
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

/** Gives each reader what it does not have. */
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
