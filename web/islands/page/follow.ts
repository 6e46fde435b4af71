import { messagesOf } from '../../../client/src/index.ts'
import { apiOrigin, loadService } from '../service.ts'

/** An entry of the log of changes, with the fields that pages use. */
export interface Change {
  id: string
  taskId: string | null
  block: number
}

/** A wallet whose rights a stream uses, with its signed headers. */
export interface Reader {
  address: string
  headers: Record<string, string>
}

/** The subject of a stream: the entries of one task; null: all public entries, by one stream for all tabs. */
interface Followed {
  taskId: string | null
  /** Reader of the stream; null: public content. */
  reader: Reader | null
  /** First block that is not shown yet; null: not known. */
  fromBlock: number | null
  signal: AbortSignal
}

/** Pause between two streams, milliseconds. */
const PAUSE_MS = 1_000
const MOST_PAUSE_MS = 30_000
/** Time after which a silent stream is closed, milliseconds. */
const ANSWER_MS = 45_000

/**
 * Calls `tell` for each change that may not be shown yet; with null if changes were missed. One tab of the browser reads the
 * stream and passes it on to the others. That tab holds a lock, which the next tab gets when it closes. It ends with its signal,
 * and when the service refuses the reader.
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

/** The start of the next stream: behind an entry, else at a block, else at the next entry. */
interface Place {
  after: string | null
  fromBlock: number | null
}

/** Opens streams, one after the other, until the tab is hidden or closed, or its reader is refused. */
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

/** Reads a stream to its end. @returns the status of the answer; null: no answer came */
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

/** Converts a message to a change; null: a message about the position of the stream. */
function toChange(value: unknown): Change | null {
  const { id, taskId = null, block } = value as { id?: string; taskId?: string; block?: { number: number } }
  return id === undefined ? null : { id, taskId, block: block?.number ?? 0 }
}
