import { messagesOf } from '../../../client/src/index.ts'
import { apiOrigin, loadService } from '../service.ts'

/** An entry of the log of changes, as far as pages need it. */
export interface Change {
  id: string
  taskId: string | null
  block: number
}

/** A wallet that a stream is read as, with what it has signed. */
export interface Reader {
  address: string
  headers: Record<string, string>
}

/** What to follow: the entries of one task; null: of all public ones, by one stream for all tabs. */
interface Followed {
  taskId: string | null
  /** Null: what everyone sees. */
  reader: Reader | null
  /** The first block that is not shown yet; null: it is not known. */
  fromBlock: number | null
  signal: AbortSignal
}

/** Milliseconds. */
const PAUSE_MS = 1_000
const MOST_PAUSE_MS = 30_000
/** A stream that does not answer for so long is given up. */
const ANSWER_MS = 45_000

/**
 * Tells each change that may not be shown yet; null: some were missed. One tab of the browser has the stream and tells the others: the one that
 * holds the lock, which the next one gets when it closes. It ends with its signal, and where the service does not take the reader any more.
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
  // The tab with the stream may have told of a block that this page does not show yet.
  take(null)
  await navigator.locks.request(name, { signal }, lead).catch((error) => {
    if (!signal.aborted) throw error
  })
}

/** Where the next stream begins: behind an entry, else at a block, else with what comes next. */
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
    // The lock is for another tab now.
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

/** Reads a stream to its end. @returns the status of the answer; null: none came */
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
    // The connection is gone: another one is opened.
  } finally {
    clearTimeout(timer)
  }
  return status
}

/** Null: how far the stream is. */
function toChange(value: unknown): Change | null {
  const { id, taskId = null, block } = value as { id?: string; taskId?: string; block?: { number: number } }
  return id === undefined ? null : { id, taskId, block: block?.number ?? 0 }
}
