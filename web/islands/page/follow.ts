import { messagesOf } from '../../../client/src/index.ts'
import { apiOrigin, loadService } from '../service.ts'

/** One event in the service's log of changes, with the fields that pages use. */
export interface Change {
  id: string
  taskId: string | null
  block: number
}

/** A wallet that reads a stream, with the signed headers that prove the wallet's right to read. */
export interface Reader {
  address: string
  headers: Record<string, string>
}

/**
 * The events that a stream delivers. `taskId`: the id of a task, for this task's events; null for the public events of
 * all tasks. If several tabs use null, they share one stream.
 */
interface Followed {
  taskId: string | null
  /** The wallet that reads the stream; null for the public stream, which needs no wallet. */
  reader: Reader | null
  /** The number of the first block whose events the page does not show yet; null if the number is not known. */
  fromBlock: number | null
  signal: AbortSignal
}

/** Shortest pause in milliseconds between the end of a stream and the request of the next stream. */
const PAUSE_MS = 1_000
/** Longest pause in milliseconds between the end of a stream and the request of the next stream. */
const MOST_PAUSE_MS = 30_000
/** Time in milliseconds within which the service must answer the request for a stream. */
const ANSWER_MS = 45_000

/**
 * Calls `take` for each event that the page possibly does not show yet. Calls `take` with null if events may have been
 * missed. Ends when `signal` is aborted, or when the service refuses the reader.
 *
 * If several tabs of the browser follow the same events, only the tab with a lock reads the stream. The tab with the
 * lock passes the events to the other tabs. When the tab with the lock is closed, another tab gets the lock.
 */
export async function follow(
  { taskId, reader, fromBlock, signal }: Followed,
  take: (change: Change | null) => void,
): Promise<void> {
  const name = ['task-market:live', taskId, reader?.address.toLowerCase()].filter((part) => part != null).join(':')
  const channel = new BroadcastChannel(name)
  const place: Place = { after: null, fromBlock }
  const hear = (change: Change | null) => {
    if (change !== null) place.after = change.id
    take(change)
  }
  channel.onmessage = ({ data }) => hear(data as Change | null)
  signal.addEventListener('abort', () => channel.close())
  const tell = (change: Change | null) => {
    if (signal.aborted) return
    channel.postMessage(change)
    hear(change)
  }
  const lead = () => readStreams({ taskId, reader, place, signal }, tell)
  const hasLed = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await lead()
    return lock !== null
  })
  if (hasLed || signal.aborted) return
  // The tab with the stream may have passed on a block that this page does not show yet.
  take(null)
  await navigator.locks.request(name, { signal }, lead).catch((error) => {
    if (!signal.aborted) throw error
  })
}

/**
 * The position at which the next stream begins. If `after` is not null, the stream begins after the event with this id.
 * If only `after` is null, the stream begins at the block `fromBlock`. If both are null, the stream begins with the
 * next event.
 */
interface Place {
  after: string | null
  fromBlock: number | null
}

/** Opens one stream after the other, until `signal` is aborted or the service refuses the reader. */
async function readStreams(
  { taskId, reader, place, signal }: Omit<Followed, 'fromBlock'> & { place: Place },
  tell: (change: Change | null) => void,
): Promise<void> {
  const url = new URL('/api/events', apiOrigin(await loadService()))
  for (let pauseMs = PAUSE_MS; !signal.aborted; ) {
    const { after, fromBlock } = place
    url.search = String(
      new URLSearchParams({
        ...(taskId !== null && { taskId }),
        ...(after !== null ? { after } : fromBlock !== null ? { fromBlock: String(fromBlock) } : {}),
      }),
    )
    const startedAt = performance.now()
    const headers = { Accept: 'text/event-stream', ...reader?.headers }
    const isComplete = after !== null || fromBlock !== null
    const status = await readStream(new Request(url, { headers }), { signal, tell, isComplete })
    // Another tab may get the lock now.
    if (signal.aborted || status === 401) return
    if (status === 410) Object.assign(place, { after: null, fromBlock: null })
    const hasLasted = performance.now() - startedAt > MOST_PAUSE_MS
    pauseMs = hasLasted ? PAUSE_MS : Math.min(pauseMs * 2, MOST_PAUSE_MS)
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
      signal.addEventListener('abort', resolve)
    })
    // Without a stream the page is read in pauses.
    if (status !== 200 && status !== 410) tell(null)
  }
}

/**
 * Reads a stream to its end.
 * @param isComplete true if the stream begins at or before the first event that the page does not show; false if the
 * stream may begin later, so that events may be missed
 * @returns the HTTP status of the answer; null if the service did not answer with a stream
 */
async function readStream(
  request: Request,
  { signal, tell, isComplete }: { signal: AbortSignal; tell: (change: Change | null) => void; isComplete: boolean },
): Promise<number | null> {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), ANSWER_MS)
  let status: number | null = null
  try {
    const response = await fetch(request, { signal: AbortSignal.any([signal, end.signal]) })
    clearTimeout(timer)
    status = response.status
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!response.ok || !isStream || response.body === null) {
      end.abort()
      return response.ok ? null : status
    }
    if (!isComplete) tell(null)
    for await (const { value } of messagesOf(response.body, signal)) {
      const change = toChange(value)
      if (change !== null) tell(change)
    }
  } catch {
    // The connection is lost; the caller opens another one.
  } finally {
    clearTimeout(timer)
  }
  return status
}

/** Converts a message of a stream to an event; null if the message only reports the position of the stream. */
function toChange(value: unknown): Change | null {
  const { id, taskId = null, block } = value as { id?: string; taskId?: string; block?: { number: number } }
  return id === undefined ? null : { id, taskId, block: block?.number ?? 0 }
}
