import type { components, operations } from '../api/openapi.ts'
import type { ClientContext } from '../context.ts'
import { readBoundedText } from '../http/bounded-text.ts'
import { inTime, messagesOf } from '../http/messages-of.ts'
import { describeFailure, reach } from '../http/reach.ts'
import { either, isRecord, list, nullable, record, type Shape, text, whole } from '../http/shape.ts'
import { ReadError } from './pages.ts'
import { type ReadQuery, readJson, toProblem, toSearch } from './read-json.ts'

/** An entry of the log of changes; its `kind` determines its fields. */
export type MarketEvent = operations['listEvents']['responses'][200]['content']['application/json']['events'][number]
export type EventKind = MarketEvent['kind']

/** Filters that select log entries. Without filters, entries of all tasks and accounts are returned. */
export interface EventFilters {
  kinds?: readonly EventKind[]
  taskId?: string
  address?: string
  /** Selects tasks that have all of these tags. */
  tags?: readonly string[]
  /** Selects tasks of this mode. */
  mode?: components['schemas']['Task']['mode']
  /** Selects tasks with at least this reward, in base units of USDC. */
  minReward?: string
}

export interface EventsOptions extends EventFilters {
  /**
   * The id of the log entry that the caller handled last. Without `after` and `fromBlock`, only new entries are
   * returned.
   */
  after?: string
  /** The number of the first block whose entries are returned. */
  fromBlock?: number
  signal?: AbortSignal
  /**
   * Called when the service has renumbered the log entries, or refuses the caller's position in the log. The entries of
   * block `fromBlock` and of all later blocks are then returned again. The caller must discard the data that it took
   * from earlier copies of these entries.
   */
  onRestart?: (fromBlock: number) => void
  /**
   * Called with the reason when no stream is available, for example when the URL redirects. The client then retries.
   * Further problems are not reported until a stream has opened.
   */
  onProblem?: (problem: string) => void
}

const PATH = '/api/events'

const event = record({ id: text, kind: text, block: record({ number: whole }), data: record() })
const pageShape: Shape = {
  what: 'a page of events (events, next, finalizedUpTo)',
  accepts: record({ events: list(event), next: nullable(text), finalizedUpTo: nullable(whole) }),
}

interface Place {
  after: string | null
  /** The last block whose entries are final; null if the service has not reported it yet. */
  finalizedUpTo: number | null
}

/**
 * Yields the entries of the log of changes in order, until the caller stops. Each entry is yielded once, except after a
 * call of `onRestart`. Reads pages of the log while no stream is available.
 * @throws ReadError for a permanent error: a retry would fail with the same error. Example: the service no longer
 * accepts the caller's position in the log, and no final block is known from which the read could restart.
 */
export async function* readEvents(
  context: ClientContext,
  options: EventsOptions = {},
): AsyncGenerator<MarketEvent, void, undefined> {
  const { signal, onRestart, onProblem, fromBlock } = options
  const tellProblem = onceInARow(onProblem)
  const place: Place = { after: options.after ?? null, finalizedUpTo: fromBlock === undefined ? null : fromBlock - 1 }
  let pauseMs = context.timing.pauseMs
  const isOver = () => signal?.aborted === true
  while (!isOver()) {
    const startAfter = place.after
    const answer = await openStream(context, { ...options, onProblem: tellProblem }, place)
    if (isOver()) return
    const isGone = yield* readAnswer(context, options, { answer, place })
    // A position by block never expires: it is requested again after a pause.
    if (isGone && place.after !== null) {
      if (place.finalizedUpTo === null) {
        const message = `${context.url}${PATH}: the place ${place.after} is not known any more, and no block was read to go on from.`
        throw new ReadError(message, { status: 410, body: null })
      }
      place.after = null
      onRestart?.(place.finalizedUpTo + 1)
      continue
    }
    // A stream that delivered entries is opened again at once.
    pauseMs = place.after === startAfter ? Math.min(pauseMs * 1.5, context.timing.maxPauseMs) : context.timing.pauseMs
    await pause(pauseMs, signal)
  }
}

/**
 * Reads the current end of the log: the position of its last entry. Returns null if the log is empty.
 * @throws ReadError when the service does not answer
 */
export async function findEndOfLog(context: ClientContext): Promise<string | null> {
  const query = { fromBlock: String(Number.MAX_SAFE_INTEGER), limit: '1' }
  const answer = await readJson(context, PATH, query, pageShape)
  if (!answer.ok) throw new ReadError(answer.message, answer)
  return (answer.body as { next: string | null }).next
}

type StreamAnswer = ReadableStream<Uint8Array> | 'gone' | null

/**
 * Yields the entries of the opened stream, or of pages if there is no stream.
 * @returns true if the caller's position in the log has expired
 */
async function* readAnswer(
  context: ClientContext,
  options: EventsOptions,
  { answer, place }: { answer: StreamAnswer; place: Place },
): AsyncGenerator<MarketEvent, boolean, undefined> {
  if (answer === 'gone') return true
  if (answer === null) return yield* readPages(context, options, place)
  yield* readMessages(answer, place, options.signal)
  return false
}

/**
 * Returns a function that reports problems to `tell`. If the function is called with several problems in a row, only
 * the first one is reported. After a call with `null`, the next problem is reported again.
 */
export function onceInARow(tell: (problem: string) => void = () => {}): (problem: string | null) => void {
  let isTold = false
  return (problem) => {
    if (problem !== null && !isTold) tell(problem)
    isTold = problem !== null
  }
}

/**
 * Opens a stream of log entries.
 * @returns the stream; null if no stream is available now; `gone` if the position has expired
 */
export async function openStream(
  context: ClientContext,
  options: EventFilters & { actions?: string; signal?: AbortSignal; onProblem?: (problem: string | null) => void },
  place: Place,
): Promise<StreamAnswer> {
  const { actions, onProblem } = options
  const search = toSearch({ ...toQuery(options, place), ...(actions !== undefined && { actions }) })
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, ...(options.signal === undefined ? [] : [options.signal])])
  const timer = setTimeout(() => controller.abort(), context.timing.requestMs)
  const url = `${context.url}${PATH}?${search}`
  try {
    const headers = { Accept: 'text/event-stream', Prefer: 'handling=strict', ...(await context.identity()) }
    const response = await reach(context.fetch, url, { headers, signal })
    if (
      response.ok &&
      response.body !== null &&
      response.headers.get('content-type')?.startsWith('text/event-stream')
    ) {
      onProblem?.(null)
      return response.body
    }
    const { status } = response
    const body: unknown = await readBoundedText(response)
      .then((text) => JSON.parse(text))
      .catch(() => null)
    if (status === 410) return 'gone'
    const { message } = toProblem({ url, status, body })
    if (status >= 400 && status < 500 && status !== 429) throw new ReadError(message, { status, body })
    onProblem?.(message)
    return null
  } catch (error) {
    if (error instanceof ReadError) throw error
    if (options.signal?.aborted !== true) onProblem?.(describeFailure(url, error))
    return null
  } finally {
    clearTimeout(timer)
  }
}

function toQuery(filters: EventFilters, { after, finalizedUpTo }: Place): ReadQuery {
  const { kinds, taskId, address, tags, mode, minReward } = filters
  return {
    ...(after !== null ? { after } : finalizedUpTo !== null ? { fromBlock: String(finalizedUpTo + 1) } : {}),
    ...(taskId !== undefined && { taskId }),
    ...(address !== undefined && { address }),
    ...(kinds !== undefined && { kind: kinds }),
    ...(tags !== undefined && { tag: tags }),
    ...(mode !== undefined && { mode }),
    ...(minReward !== undefined && { minReward }),
  }
}

/** Yields the entries of a stream until the stream ends, sends no data for 45 s, or the signal aborts. */
async function* readMessages(
  body: ReadableStream<Uint8Array>,
  place: Place,
  signal?: AbortSignal,
): AsyncGenerator<MarketEvent, void, undefined> {
  for await (const { value } of messagesOf(body, signal)) {
    if (isPlace(value)) Object.assign(place, { after: value.next, finalizedUpTo: value.finalizedUpTo })
    else if (event(value)) {
      yield value as MarketEvent
      // The position moves after the caller has handled the entry.
      place.after = (value as MarketEvent).id
    }
  }
}

function isPlace(value: unknown): value is { next: string; finalizedUpTo: number } {
  return isRecord(value) && either(record({ next: text, finalizedUpTo: whole }))(value)
}

/**
 * Yields the log entries after a position, page by page, up to the end of the log.
 * @returns true if the position has expired
 */
async function* readPages(
  context: ClientContext,
  options: EventsOptions,
  place: Place,
): AsyncGenerator<MarketEvent, boolean, undefined> {
  for (;;) {
    const query = toQuery(options, place)
    // A page without a position begins with the oldest entry, but the caller requested new ones only.
    if (query.after === undefined && query.fromBlock === undefined) return false
    const answer = await readJson(context, PATH, query, pageShape)
    if (!answer.ok) return answer.status === 410
    const page = answer.body as { events: MarketEvent[]; next: string | null; finalizedUpTo: number | null }
    for (const entry of page.events) {
      yield entry
      place.after = entry.id
    }
    place.finalizedUpTo = page.finalizedUpTo ?? place.finalizedUpTo
    if (page.next === null || page.next === place.after) return false
    const isEnd = page.events.length === 0
    place.after = page.next
    if (isEnd) return false
  }
}

export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await inTime(
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    }),
    signal,
  )
  clearTimeout(timer)
}
