import type { Writable } from 'node:stream'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { Database } from '../db/client.ts'
import { EVENTS_CHANNEL } from '../read-model/row-changes.ts'
import { listTaskAccess, type TaskAccess } from '../read-model/task-visibility.queries.ts'
import { createActionWatches, type QueueReader, type ReadActionQueue } from './action-watches.ts'
import {
  type ConcerningEvent,
  type EventFilters,
  findLogBounds,
  type LogBounds,
  listEventsForAll,
  type StoredEvent,
} from './read-events.queries.ts'
import { isShown, readEvents } from './read-events.ts'
import { toEvent, toEventId } from './render-event.ts'

/** The largest number of event streams that one client may have open. */
const STREAMS_OF_CLIENT = 20
/** The largest number of event streams that one process may have open. */
const STREAMS_AT_MOST = 10_000
/**
 * The largest number of new entries that are read at once for all live streams. A stream is live if it has all earlier
 * entries.
 */
const BATCH = 500
/**
 * The largest number of entries that are read at once for one stream that is behind. A stream is behind if it lacks
 * earlier entries.
 */
const PAGE = 100
/**
 * The number of streams that are behind and may read pages at the same time. All further streams that are behind wait.
 */
const BEHIND_AT_ONCE = 4
/** The number of entries per second that all streams that are behind may read together. */
const BEHIND_A_SECOND = 1_000
/** The number of streams that are written before the loop pauses, so that Node can handle requests and other work. */
const STREAMS_AT_ONCE = 500
/**
 * The number of beats between two heartbeats of one stream. A beat is a regular clock tick of the event hub.
 * Different streams get their heartbeats at different beats, so the heartbeats are spread evenly.
 */
const BEATS = 15
/**
 * The milliseconds between two beats. A beat is a regular clock tick of the event hub, at which some of the streams get
 * a heartbeat.
 */
const BEAT_MS = 1_000
/** The SSE field that makes a browser wait one second before it reconnects. */
const RETRY = 'retry: 1000\n\n'

/** The dependencies of `createEventHub`. */
export interface EventHubDeps {
  sql: Database
  log: Logger
  chain: { head(): Promise<{ timestamp: bigint }> }
  readQueue: ReadActionQueue
  /** The milliseconds between two beats (the clock ticks at which the hub sends heartbeats); by default `BEAT_MS`. */
  beatMs?: number
}

/** The reader of an event stream, and what the reader requested. */
export interface StreamReader {
  /** The network client that opened the stream. The number of open streams is limited for each client. */
  client: string
  caller: Address | null
  /**
   * The time in Unix seconds when the caller's read identity (the proof of who reads) expires. Null if it does not
   * expire.
   */
  end: bigint | null
  filters: EventFilters
  /** The wallet whose action queue the stream also carries; undefined if the stream carries no queue. */
  actions?: Address | undefined
  /** The sequence number of the log entry after which the stream begins. */
  after: bigint
  /** The random id of the event log in which `after` is a sequence number. A new log gets a new id. */
  epoch: string
}

/**
 * The event streams of a process. Each entry is read once for all streams. The access policy and the filters decide
 * which streams get the entry.
 */
export interface EventHub {
  /** Starts listening for new entries of the event log. */
  start(): Promise<void>
  /**
   * Returns null if the client may open the event stream. Otherwise returns the limit on open streams that is reached:
   * `client` (the limit of this client) or `process` (the limit of this process).
   */
  findRefusal(reader: Pick<StreamReader, 'client' | 'caller' | 'actions'>): 'client' | 'process' | null
  /**
   * Writes entries to a response until the reader or the service ends the response. If the client may not open a
   * stream, the response ends at once.
   */
  open(reader: StreamReader, out: Writable): void
  /** Ends all streams and opens no more streams. The readers then reconnect to another process. */
  stop(): Promise<void>
}

/** An open event stream. */
interface Stream extends StreamReader {
  out: Writable
  /** The sequence number of the last entry that was written or skipped. */
  position: bigint
  /**
   * The number of the beat at which the stream gets its heartbeats. Beats are numbered from 0 to `BEATS` - 1, and then
   * from 0 again.
   */
  beat: number
  /** True while the buffer of the response is full. */
  isFull: boolean
  /** True while pages of older entries are read for this stream. */
  isBehind: boolean
  /** True if the buffer was already full at the stream's last heartbeat. */
  wasFull: boolean
  /**
   * The registration of the stream for the action queue of a wallet. Null if the reader did not ask for an action
   * queue.
   */
  queue: QueueReader | null
}

/** Creates the event hub, which delivers nothing before `start`. Example: `await createEventHub(deps).start()`. */
export function createEventHub({ sql, log, chain, readQueue, beatMs = BEAT_MS }: EventHubDeps): EventHub {
  const streams = new Set<Stream>()
  const queues = createActionWatches({ readQueue, log })
  const countOf = new Map<string, number>()
  const inTurn = createSemaphore({
    atOnce: BEHIND_AT_ONCE,
    maxWaiting: STREAMS_AT_MOST,
    fact: 'Too many streams are behind',
  })
  /**
   * The bounds of the log at the last delivery. `lastSequence` is the last entry that was delivered to the live streams
   * (see `deliver`).
   */
  let deliveredBounds: LogBounds | null = null
  let subscription: { unlisten(): Promise<void> } | null = null
  let heartbeat: NodeJS.Timeout | undefined
  let isStopped = false
  let openedCount = 0
  let beats = 0
  let currentRun: Promise<void> | null = null
  let isWoken = false

  const end = (stream: Stream, text: string) => {
    if (!streams.delete(stream)) return
    if (stream.queue !== null) queues.leave(stream.queue)
    const count = (countOf.get(stream.client) ?? 1) - 1
    if (count === 0) countOf.delete(stream.client)
    else countOf.set(stream.client, count)
    stream.out.end(text)
  }

  /**
   * Ends a stream if the caller's read identity (the proof of who reads) has expired. @returns true if the stream was
   * ended
   */
  const endExpired = (stream: Stream, now: bigint) => {
    if (stream.end === null || now < stream.end) return false
    end(stream, ': the read identity has ended\n\n')
    return true
  }

  const write = (stream: Stream, text: string) => {
    stream.isFull = !stream.out.write(text)
  }

  /**
   * Writes entries to a stream until the buffer of the stream is full. After that, the stream's position is the last
   * entry that was written or skipped.
   * @param toText returns the text of an entry, or an empty text to skip the entry
   */
  const writeEntries = <Entry extends { sequence: bigint }>(
    stream: Stream,
    entries: Entry[],
    toText: (entry: Entry) => string,
  ) => {
    let text = ''
    for (const entry of entries) {
      text += toText(entry)
      stream.position = entry.sequence
      if (stream.out.writableLength + text.length < stream.out.writableHighWaterMark) continue
      write(stream, text)
      if (stream.isFull) return
      text = ''
    }
    if (text !== '') write(stream, text)
  }

  /**
   * Reads the new entries of the log, and sends the entries to each live stream. A stream is live if the stream has
   * all earlier entries and has no filter on the entry's task, such as the task's mode. A stream that is not live reads
   * pages of entries instead (`readBehind`).
   */
  const deliver = async () => {
    for (;;) {
      const batch = await readBatch()
      if (batch === null) return
      const { bounds, events, tasks, now } = batch
      const { epoch } = bounds
      const from = deliveredBounds?.epoch === epoch ? deliveredBounds.lastSequence : bounds.lastSequence
      const next = events.at(-1)?.sequence ?? bounds.lastSequence
      // The places of another epoch are invalid; the next request gets that error.
      for (const stream of streams) {
        if (stream.epoch !== epoch) end(stream, RETRY)
        else endExpired(stream, now)
      }
      const liveStreams = [...streams].filter(
        ({ position, isFull, isBehind, filters }) =>
          position === from && !isFull && !isBehind && filters.ofTask === undefined,
      )
      const preparedEvents = events.map((event) =>
        prepare(event, { task: tasks.get(event.taskId ?? '0x'), now, epoch }),
      )
      for (const [index, stream] of liveStreams.entries()) {
        if (index % STREAMS_AT_ONCE === STREAMS_AT_ONCE - 1) await setImmediate()
        if (stream.isFull || !streams.has(stream)) continue
        writeEntries(stream, preparedEvents, ({ textFor }) => textFor(stream))
        if (!stream.isFull) stream.position = next
      }
      deliveredBounds = { ...bounds, lastSequence: next }
      for (const stream of streams) if (stream.position < next) readBehind(stream)
      queues.noteChanges(events, now)
      if (next >= bounds.lastSequence) return
    }
  }

  /**
   * Reads the log entries after the last entry that the live streams have, in one database snapshot. Returns null if
   * the log is empty.
   */
  const readBatch = async () => {
    const { timestamp: now } = await chain.head()
    return await sql.byKey.begin('isolation level repeatable read read only', async (tx) => {
      const bounds = await findLogBounds(tx)
      if (bounds === null) return null
      const isNew = deliveredBounds?.epoch === bounds.epoch && deliveredBounds.lastSequence < bounds.lastSequence
      const events =
        isNew && deliveredBounds !== null ? await listEventsForAll(tx, deliveredBounds.lastSequence, BATCH) : []
      const tasks = await listTaskAccess(tx, [...new Set(events.flatMap(({ taskId }) => taskId ?? []))])
      return { bounds, events, tasks, now }
    })
  }

  const wake = () => {
    isWoken = true
    currentRun ??= (async () => {
      while (isWoken && !isStopped) {
        isWoken = false
        await deliver().catch((error) => log.warn({ err: error }, 'event log read failed'))
      }
      currentRun = null
    })()
  }

  /** Reads pages of older entries for one stream, until the stream has all entries or its buffer is full. */
  const readBehind = (stream: Stream) => {
    if (stream.isBehind || stream.isFull) return
    stream.isBehind = true
    const isOpen = () => streams.has(stream) && !stream.isFull
    const read = async () => {
      while (isOpen() && deliveredBounds !== null && stream.position < deliveredBounds.lastSequence) {
        await inTurn(() => readInPace(stream))
      }
    }
    read()
      .catch((error) => {
        log.warn({ err: error }, 'event log page read failed')
        end(stream, '')
      })
      .finally(() => {
        stream.isBehind = false
        // Entries since then went only to the others.
        if (isOpen() && deliveredBounds !== null && stream.position < deliveredBounds.lastSequence) readBehind(stream)
      })
  }

  /**
   * Reads one page for a stream that is behind, and then pauses. With the pauses, all such streams together read at
   * most `BEHIND_A_SECOND` entries per second.
   */
  const readInPace = async (stream: Stream) => {
    const startedAt = performance.now()
    const count = await readPage(stream)
    const milliseconds = (count * BEHIND_AT_ONCE * 1_000) / BEHIND_A_SECOND - (performance.now() - startedAt)
    if (milliseconds > 0) await pause(milliseconds)
  }

  /**
   * Reads one page of log entries and writes the entries to the stream.
   * @returns the number of entries written
   */
  const readPage = async (stream: Stream): Promise<number> => {
    const { timestamp: now } = await chain.head()
    if (endExpired(stream, now)) return 0
    const page = await sql.begin('isolation level repeatable read read only', async (tx) => {
      const bounds = await findLogBounds(tx)
      if (bounds === null || bounds.epoch !== stream.epoch || stream.position < bounds.firstSequence - 1n) return null
      const { events, last } = await readEvents(
        tx,
        { ...stream, now },
        { after: stream.position, limit: PAGE, end: bounds.lastSequence },
      )
      return { events, last, epoch: bounds.epoch }
    })
    if (!streams.has(stream)) return 0
    if (page === null) {
      end(stream, RETRY)
      return 0
    }
    writeEntries(stream, page.events, (event) => toText(event, page.epoch))
    if (!stream.isFull) stream.position = page.last
    return page.events.length
  }

  const joinQueue = (stream: Stream, wallet: Address) => {
    const { client, caller } = stream
    const writeUnlessFull = (text: string) => {
      if (stream.isFull) return false
      write(stream, text)
      return true
    }
    stream.queue = { client, wallet, isOwn: wallet === caller, write: writeUnlessFull }
    queues.join(stream.queue)
  }

  /**
   * Sends heartbeats. Each stream gets one heartbeat in every `BEATS` calls. If the stream has all entries, the
   * heartbeat names the position from which the reader can resume. If the stream's buffer is full at two heartbeats in
   * a row, the stream is destroyed.
   */
  const beat = () => {
    if (deliveredBounds === null) return
    const text = toPlaceText(deliveredBounds)
    beats += 1
    for (const stream of streams) {
      if (stream.beat !== beats % BEATS) continue
      if (stream.isFull && stream.wasFull) {
        stream.out.destroy()
      } else if (!stream.isFull) {
        write(stream, stream.position === deliveredBounds.lastSequence ? text : ':\n\n')
      }
      stream.wasFull = stream.isFull
    }
    // A notification can be lost, and a read identity ends by the chain's time.
    if (beats % BEATS === 0) wake()
  }

  const findRefusal: EventHub['findRefusal'] = ({ client, caller, actions: wallet }) => {
    if (isStopped || streams.size >= STREAMS_AT_MOST) return 'process'
    if ((countOf.get(client) ?? 0) >= STREAMS_OF_CLIENT) return 'client'
    return wallet === undefined ? null : queues.findRefusal({ client, wallet, isOwn: wallet === caller })
  }

  return {
    findRefusal,
    start: async () => {
      subscription = await sql.listen(EVENTS_CHANNEL, wake, wake)
      heartbeat = setInterval(beat, beatMs)
      heartbeat.unref()
    },
    open: (reader, out) => {
      // Since the check of the request, other streams may have opened or the process may be stopping.
      if (findRefusal(reader) !== null) {
        out.end(RETRY)
        return
      }
      openedCount += 1
      const position = reader.after
      const state = { beat: openedCount % BEATS, isFull: false, isBehind: false, wasFull: false, queue: null }
      const stream: Stream = { ...reader, out, position, ...state }
      streams.add(stream)
      countOf.set(reader.client, (countOf.get(reader.client) ?? 0) + 1)
      out.on('drain', () => {
        stream.isFull = false
        readBehind(stream)
        if (stream.queue !== null) queues.catchUp(stream.queue)
      })
      out.on('error', () => {})
      out.once('close', () => end(stream, ''))
      write(stream, RETRY)
      if (deliveredBounds !== null && position === deliveredBounds.lastSequence)
        write(stream, toPlaceText(deliveredBounds))
      if (reader.actions !== undefined) joinQueue(stream, reader.actions)
      wake()
    },
    stop: async () => {
      isStopped = true
      clearInterval(heartbeat)
      for (const stream of streams) end(stream, RETRY)
      await subscription?.unlisten()
      await currentRun
    },
  }
}

/**
 * Prepares an entry for many streams. The text of the entry, and its visibility for anonymous readers, are computed
 * once.
 */
function prepare(
  event: ConcerningEvent,
  { task, now, epoch }: { task: TaskAccess | undefined; now: bigint; epoch: string },
) {
  let [shownToAll, text] = [undefined as boolean | undefined, undefined as string | undefined]
  const isShownTo = (reader: StreamReader) => {
    if (reader.caller !== null || reader.filters.taskId !== undefined) return isShown(event, task, { ...reader, now })
    shownToAll ??= isShown(event, task, { ...reader, now })
    return shownToAll
  }
  return {
    sequence: event.sequence,
    textFor: (reader: StreamReader) => {
      if (!isAskedFor(event, reader) || !isShownTo(reader)) return ''
      text ??= toText(event, epoch)
      return text
    },
  }
}

function isAskedFor(
  { kind, taskId, parties, privateParties }: ConcerningEvent,
  { filters, caller }: StreamReader,
): boolean {
  const { kinds, taskId: task, address } = filters
  if (kinds !== undefined && !kinds.includes(kind)) return false
  if (task !== undefined && task !== taskId) return false
  if (address === undefined) return true
  return parties.includes(address) || (address === caller && privateParties.includes(address))
}

function toText(event: StoredEvent, epoch: string): string {
  return `id: ${toEventId(epoch, event.sequence)}\nevent: ${event.kind}\ndata: ${JSON.stringify(toEvent(event, epoch))}\n\n`
}

/**
 * Returns the text of a `position` event, which is not an entry of the log. The event names the end of the log and the
 * latest final block.
 */
function toPlaceText({ epoch, lastSequence, finalBlock }: LogBounds): string {
  const next = toEventId(epoch, lastSequence)
  const place = { next, finalizedUpTo: Number(finalBlock) }
  return `id: ${next}\nevent: position\ndata: ${JSON.stringify(place)}\n\n`
}
