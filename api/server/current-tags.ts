import type { Context, MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import type { TimeWindow } from '../domain/actions/action-rule.ts'
import { isWithin } from '../domain/view-interval.ts'
import type { RouteContract } from '../features/define-route.ts'
import type { RateLimitName } from '../http/client-rate-limits.ts'
import { acceptsGzip } from '../http/compression.ts'
import { isKnownTag } from '../http/entity-tags.ts'
import { answerHeaderNames, identityHeaderNames } from '../http/header-names.ts'
import type { IndexedHead } from '../read-model/indexed-head.queries.ts'
import { openRowCache } from '../read-model/row-cache.ts'
import type { RowMoment } from '../read-model/row-changes.ts'
import { OF_ONE_REQUEST } from './shared-caches.ts'

/** Memory of all routes' answers, bytes: some 10,000 URLs. */
const MAX_BYTES = 30_000_000

declare module 'hono' {
  interface ContextVariableMap {
    /** The limit that the route counts, of an answer that is made of the URL, rows and the head's time unless credentials change it. */
    countedAs: RateLimitName | undefined
    /** The times of the head at which the answer is the same, of a route that knows them and reads nothing of the log of changes. */
    sameWithin: TimeWindow | undefined
  }
}

/** The state that an answer is made of. */
export interface RowState {
  rows: RowMoment
  log: RowMoment
  /** Time of the newest head that is known, Unix seconds. */
  timestamp: bigint
  /** The newest indexed block, which every answer names. */
  head: Pick<IndexedHead, 'blockNumber' | 'blockTimestamp'> | null
}

/** A 304 as it was sent. */
interface KnownAnswer {
  etag: string
  headers: Record<string, string>
  /** True where it had the headers of one request, which each client gets anew. */
  namesRequest: boolean
  countedAs: RateLimitName
  /** The times of the head at which it is the same while the rows are; left out: that of its state alone, while the log is too. */
  sameWithin?: TimeWindow | undefined
}

interface KeptAnswer {
  /** In which its making began. */
  state: RowState
  answer: KnownAnswer
}

/** The 304 answers of now to clients without credentials, by `answerNameOf`. */
export interface CurrentTags {
  /** The state of now; null: without rows or a head, nothing is kept or found. */
  state(): RowState | null
  /** The answer in this state, where the client has what its `ETag` is of; null: it is to be made. */
  findKnown(name: string, state: RowState, sentTags: string): KnownAnswer | null
  /** Keeps an answer whose making began in `state`, unless that is over. */
  keep(name: string, state: RowState, answer: KnownAnswer): void
}

/**
 * Opens the answers that are made of the URL, rows and the time of the head. All who poll a URL share one look at the rows in a
 * moment. An answer with a body is made of the rows as they are.
 */
export function openCurrentTags({
  publicReads,
  rowChanges,
  chain,
  indexedHead,
}: Pick<Deps, 'publicReads' | 'rowChanges' | 'chain' | 'indexedHead'>): CurrentTags {
  const answers = openRowCache<KeptAnswer>(publicReads, MAX_BYTES)
  // No node is asked: the indexer tells of each block, and without that the moment of the rows ends.
  const readState = () => {
    const head = chain.knownHead()
    const indexed = indexedHead.current()
    if (head === null || indexed?.ready === false) return null
    const [rows, log] = [rowChanges.moment('rows'), rowChanges.moment('rows and log')]
    return { rows, log, timestamp: head.timestamp, head: indexed }
  }
  return {
    state: readState,
    findKnown: (name, state, sentTags) => {
      const kept = answers.find(name)
      if (kept === undefined || !isStillSame(kept, state)) return null
      return isKnownTag(sentTags, kept.answer.etag.replace(/^W\//, '')) ? kept.answer : null
    },
    keep: (name, state, answer) => {
      const now = readState()
      if (now === null || !isStillSame({ state, answer }, now)) return
      answers.put(name, { state, answer }, Object.entries(answer.headers).join().length)
    },
  }
}

function isStillSame({ state, answer: { sameWithin } }: KeptAnswer, now: RowState): boolean {
  if (state.rows !== now.rows || !isSameOrIdle(state, now)) return false
  if (sameWithin !== undefined) return isWithin(sameWithin, now.timestamp)
  return state.log === now.log && state.timestamp === now.timestamp
}

/** True when the head is a later block and none between changed a row, as far as this process has heard of the newest one. */
function isSameOrIdle(state: RowState, { head, rows }: RowState): boolean {
  if (head?.blockNumber === state.head?.blockNumber) return true
  if (head === null || state.head === null || rows.block === null) return false
  return head.blockNumber > state.head.blockNumber && head.blockNumber <= rows.block
}

/**
 * Answers a client without credentials who has the present answer of a URL, before any stage that makes one: with the 304 that
 * another one was sent in this moment. It is counted, and logged, as every request is.
 */
export function answerKnownTags(
  deps: Pick<Deps, 'publicReads' | 'rowChanges' | 'chain' | 'indexedHead' | 'config'>,
  routes: readonly RouteContract[],
): MiddlewareHandler {
  const tags = openCurrentTags(deps)
  const ofOneClient = [
    ...identityHeaderNames(deps.config.SERVICE_NAME),
    ...routes.flatMap(({ headers = {} }) => Object.keys(headers)),
    'Prefer',
  ].filter((name) => name !== 'Accept')
  const { headAge, blockNumber, blockTimestamp } = answerHeaderNames(deps.config.SERVICE_NAME)
  // In lower case, as the other headers are kept.
  const [numberHeader, timeHeader] = [blockNumber.toLowerCase(), blockTimestamp.toLowerCase()]
  const ofHead = ({ head }: RowState): Record<string, string> =>
    head === null ? {} : { [numberHeader]: String(head.blockNumber), [timeHeader]: String(head.blockTimestamp) }
  return async (c, next) => {
    const sent = c.req.method === 'GET' ? c.req.header('if-none-match') : undefined
    const name = sent === undefined ? null : answerNameOf(c, ofOneClient)
    const state = name === null ? null : tags.state()
    if (sent === undefined || name === null || state === null) return await next()
    const known = tags.findKnown(name, state, sent)
    if (known !== null && (await isGranted(c, known))) return answerAgain(c, known, ofHead(state))
    await next()
    const { status, headers } = c.res
    const [etag, countedAs] = [headers.get('ETag'), c.get('countedAs')]
    if (status !== 304 || etag === null || countedAs === undefined) return
    if (c.get('ignoredNames') !== undefined || headers.has(headAge)) return
    tags.keep(name, state, { etag, countedAs, sameWithin: c.get('sameWithin'), ...headersOf(headers) })
  }
}

/** Counts a request; one that is refused is left to the route, whose refusal has all headers. */
async function isGranted(c: Context, { countedAs }: KnownAnswer): Promise<boolean> {
  try {
    await c.get('rateLimits').consume(countedAs)
    return true
  } catch {
    return false
  }
}

function answerAgain(
  c: Context,
  { headers, namesRequest }: KnownAnswer,
  ofHead: Readonly<Record<string, string>>,
): Response {
  const ofRequest = namesRequest ? { 'X-Request-Id': c.get('requestId'), ...c.get('rateLimits').headers() } : {}
  return new Response(null, { status: 304, headers: { ...headers, ...ofHead, ...ofRequest } })
}

function headersOf(headers: Headers): Pick<KnownAnswer, 'headers' | 'namesRequest'> {
  const shared = new Headers(headers)
  for (const name of OF_ONE_REQUEST) shared.delete(name)
  return { headers: Object.fromEntries(shared), namesRequest: headers.has('X-Request-Id') }
}

/**
 * Names the answer of a GET by its URL and what else it depends on; null: on a header that makes it the answer of one client.
 * Example: `plain application/json /api/tasks?limit=1`.
 */
function answerNameOf({ req }: Context, ofOneClient: readonly string[]): string | null {
  if (ofOneClient.some((name) => req.header(name) !== undefined)) return null
  const coding = acceptsGzip(req.header('accept-encoding')) ? 'gzip' : 'plain'
  return `${coding} ${req.header('accept') ?? '*/*'} ${pathAndQuery(req.url)}`
}

/** Example: `/api/tasks?limit=1` of `http://127.0.0.1/api/tasks?limit=1`. */
export function pathAndQuery(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}
