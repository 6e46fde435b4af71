import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { Deps } from '../deps.ts'
import type { TimeWindow } from '../domain/actions/action-rule.ts'
import type { RouteContract } from '../features/define-route.ts'
import { hasBody } from '../http/bodies/body-deadline.ts'
import type { ClientRateLimits, RateLimitName } from '../http/client-rate-limits.ts'
import { acceptsGzip, compressedText, isCompressed } from '../http/compression.ts'
import { isKnownTag } from '../http/entity-tags.ts'
import { answerHeaderNames, identityHeaderNames } from '../http/header-names.ts'
import type { ClientNamer } from '../identity/client-ip.ts'
import type { IndexedHead } from '../read-model/indexed-head.queries.ts'
import { openRowCache } from '../read-model/row-cache.ts'
import { openCurrentTags, type RowState } from './current-tags.ts'
import type { KeptRoute } from './kept-route.ts'
import type { RateLimits } from './rate-limits.ts'
import { type RequestRecorder, routeOf } from './record-requests.ts'
import { requestIdOf } from './request-id.ts'
import type { AnswerBody } from './response-cache.ts'
import { OF_ONE_REQUEST } from './shared-caches.ts'
import { ageOf, isOld } from './state-headers.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /**
     * The rate limit that counts the request. Undefined if the answer depends on more than the URL, the rows and the
     * time of the latest block. If undefined, the service never sends the answer again from memory.
     */
    countedAs: RateLimitName | undefined
    /** The range of block timestamps for which the answer stays the same. Undefined if the route computes no range. */
    sameWithin: TimeWindow | undefined
    /** The route of the request if the route's answers are cached, otherwise undefined. */
    keptBy: KeptRoute | undefined
    /** The answer of a cached route, if the service began to build it before the app received the request. */
    begunBody: Promise<AnswerBody> | undefined
  }
}

/**
 * Tries to answer a request before the app receives it. Resolves with true if an answer was sent. False means that the
 * app must answer.
 */
export type KnownAnswers = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false

interface KnownAnswersOptions {
  routes: readonly RouteContract[]
  nameClient: ClientNamer
  rateLimits: RateLimits
  record: RequestRecorder
}

/**
 * The parts of an answer that the service reuses in later answers. `headers` contains no header that differs from
 * request to request (such as the request id) and no header that changes with the data (such as the block number). The
 * body is not reused.
 */
interface SharedParts {
  headers: readonly string[]
  namesRequest: boolean
  countedAs: RateLimitName
  route: string
}

/** A cached route, and the parts that all its answers share, such as headers. */
interface KeptPages {
  keptBy: KeptRoute
  /**
   * The parts that the route's answers share. `plain`: for URLs whose query parameters are all known to the route.
   * `ignoring`: for URLs with query parameters that the route ignores. Each of the two fields is undefined until the
   * app has answered the first such URL.
   */
  plain?: SharedParts
  ignoring?: SharedParts
}

/**
 * The facts from which the service answers a URL of a cached route. `ignored`: the names of the URL's query parameters
 * that the route ignores.
 */
interface AskedPage extends SharedParts {
  keptBy: KeptRoute
  ignored: readonly string[]
}

interface ReadyAnswer extends SharedParts {
  status: 200 | 304
  /** The newest indexed block at the time when the building of the answer began. */
  head: RowState['head']
  /** The headers that only this answer has, in addition to the shared `headers`. Example: the entity tag. */
  more?: readonly string[]
  body?: Buffer
}

/** A request that the service may answer before the app receives it. */
interface Asked {
  request: IncomingMessage
  response: ServerResponse
  limits: ClientRateLimits
  client: string
  /** The arrival time, in milliseconds of `performance.now`. */
  start: number
}

/** The memory limit for the cached headers of routes, in bytes. It suffices for requests to about 1,000 host names. */
const MAX_BYTES = 5_000_000
/**
 * The longest time, in milliseconds, for which the service tries to answer a request without the app. After this time,
 * the service passes the request to the app.
 */
const TIMEOUT_MS = 2_000
/**
 * Matches a URL of at most 1,000 characters that the app's URL parser would not change. Longer URLs are left to the
 * app, because parsing them takes long (measured: 3 ms for 3,000 parameters).
 */
const PLAIN_URL = /^\/[\w/?&=%.,:+~*!()$;@[\]-]{0,1000}$/

/**
 * The function `answer`, which answers requests before the app receives them, and two functions that the app calls.
 * `keep` gives `answer` the parts of the app's answers. `countedLimits` tells the app which requests were counted.
 */
interface KnownAnswersParts {
  answer: KnownAnswers
  /** Stores, from each answer of the app, the parts that later answers may reuse. */
  keep: MiddlewareHandler
  /**
   * Returns the rate limits that have already counted this request, if the request was counted before the app received
   * the request. Otherwise returns undefined.
   */
  countedLimits(c: Context): ClientRateLimits | undefined
}

/** The work that was begun for a request before the request was passed to the app. */
interface BegunRequest {
  limits: ClientRateLimits
  /** The answer that is being built, with the state and the newest indexed block from before the building began. */
  page?: { body: Promise<AnswerBody>; head: IndexedHead | null; state: RowState | null }
}

/**
 * Creates the function that answers some requests before the app receives them. The requests must carry no credentials.
 * If the client has the current entity tag, the answer is a 304. Otherwise it is an answer of a cached route. Each
 * answered request is counted, recorded and logged.
 */
export function createKnownAnswers(
  deps: Pick<Deps, 'publicReads' | 'rowChanges' | 'chain' | 'indexedHead' | 'config' | 'observe'>,
  { routes, nameClient, rateLimits, record }: KnownAnswersOptions,
): KnownAnswersParts {
  const tags = openCurrentTags(deps)
  const pages = openRowCache<KeptPages>(deps.publicReads, MAX_BYTES)
  const begunRequests = new WeakMap<IncomingMessage, BegunRequest>()
  const ofOneClient = [
    ...identityHeaderNames(deps.config.SERVICE_NAME),
    ...routes.flatMap(({ headers = {} }) => Object.keys(headers)),
    'Prefer',
  ]
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'accept')
  const { headAge, blockNumber, blockTimestamp, ignored: ignoredName } = answerHeaderNames(deps.config.SERVICE_NAME)
  const ofState = [blockNumber, blockTimestamp, headAge, ignoredName, ...OF_ONE_REQUEST].map((name) =>
    name.toLowerCase(),
  )
  const ofBody = ['etag', 'content-encoding', 'content-length', 'content-type']
  const headersOf = (headers: Headers, without: readonly string[]) =>
    [...headers].filter(([name]) => !without.includes(name)).flat()
  const ofHead = (head: RowState['head']) => {
    if (head === null) return []
    const age = ageOf(head, deps.chain.knownTime())
    const blockHeaders = [blockNumber, String(head.blockNumber), blockTimestamp, String(head.blockTimestamp)]
    return isOld(age) ? [...blockHeaders, headAge, String(age)] : blockHeaders
  }

  const answer: KnownAnswers = (request, response) => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.host === undefined || hasBody(request)) return false
    const name = answerNameOf((header) => headers[header]?.toString(), [headers.host, url], ofOneClient)
    if (name === null) return false
    const knownTag = findTag(name, headers['if-none-match'])
    const page = knownTag === null ? findPage(name, url) : null
    const foundAnswer = knownTag ?? page
    if (foundAnswer === null || isForApp()) return false
    // This precedes every wait, because a closed socket has no address.
    const client = nameClient(request.socket.remoteAddress ?? 'unknown', headers['x-forwarded-for']?.toString())
    const limits = rateLimits(client, (limit) => limit === foundAnswer.countedAs && begunRequests.has(request))
    const exchange = { request, response, client, limits, start: performance.now() }
    if (knownTag !== null) return sendKnown(knownTag, exchange)
    return page === null ? false : sendPage({ name, page }, exchange)
  }

  function findTag(name: string, sentTag: string | undefined): ReadyAnswer | null {
    const state = sentTag === undefined ? null : tags.state()
    if (sentTag === undefined || state === null) return null
    const answerOfTag = tags.findKnown(name, state, sentTag)
    return answerOfTag && { ...answerOfTag, status: 304, head: state.head }
  }

  function findPage(name: string, url: string): AskedPage | null {
    const ofRoute = PLAIN_URL.test(url) ? pages.find(routeNameOf(name)) : undefined
    if (ofRoute === undefined) return null
    const { keptBy, plain, ignoring } = ofRoute
    const ignoredNames = keptBy.ignoredNames(wholeUrl(url))
    const keptPage = ignoredNames.length === 0 ? plain : ignoring
    return keptPage === undefined ? null : { ...keptPage, keptBy, ignored: ignoredNames }
  }

  /**
   * Returns true if the app must answer every request, because the rows are incomplete or because the service is
   * draining its connections.
   */
  function isForApp(head = deps.indexedHead.current()): boolean {
    return deps.observe.readiness.isDraining() || head?.ready === false
  }

  async function sendKnown(answerOfTag: ReadyAnswer, exchange: Asked): Promise<boolean> {
    if (!(await isGranted(answerOfTag, exchange))) return false
    await send(answerOfTag, exchange)
    return true
  }

  async function sendPage({ name, page }: { name: string; page: AskedPage }, exchange: Asked): Promise<boolean> {
    if (!(await isGranted(page, exchange))) return false
    const state = tags.state()
    const head = deps.indexedHead.current()
    const { url = '', headers } = exchange.request
    const { keptBy, ignored } = page
    const pageBody = keptBy.answers.answer(url, () => keptBy.make(wholeUrl(url)))
    begunRequests.set(exchange.request, { limits: exchange.limits, page: { body: pageBody, head, state } })
    const body = await withTimeout(pageBody, TIMEOUT_MS).catch(() => null)
    if (body === null || isForApp(head)) return false
    const { 'accept-encoding': codings, 'if-none-match': sentTag } = headers
    const isShort = isCompressed(body, codings?.toString())
    const etag = isShort ? `W/${body.tag}` : body.tag
    const more = ['ETag', etag]
    if (ignored.length > 0) more.push(ignoredName, ignored.join(', '))
    if (isKnownTag(sentTag, body.tag)) {
      const isSame = ignored.length === 0 && state !== null
      if (isSame) tags.keep(name, state, { ...page, etag, headers: [...page.headers, 'ETag', etag] })
      await send({ ...page, status: 304, head, more }, exchange)
      return true
    }
    const bytes = isShort ? await compressedText(body) : body.bytes
    more.push('Content-Type', 'application/json', 'Content-Length', String(bytes.length))
    if (isShort) more.push('Content-Encoding', 'gzip')
    await send({ ...page, status: 200, head, more, body: bytes }, exchange)
    return true
  }

  /** Counts a request. Returns true if the rate limit permits it. Otherwise the app must answer with the refusal. */
  async function isGranted({ countedAs }: SharedParts, { limits, request }: Asked): Promise<boolean> {
    try {
      await limits.consume(countedAs)
      begunRequests.set(request, { limits })
      return true
    } catch (refusal) {
      begunRequests.set(request, { limits: { ...limits, consume: () => Promise.reject(refusal) } })
      return false
    }
  }

  async function send(
    { status, headers, head, more = [], body, namesRequest, route }: ReadyAnswer,
    { request, response, client, limits, start }: Asked,
  ): Promise<void> {
    const requestId = requestIdOf(request.headers['x-request-id']?.toString())
    await record(
      async () => {
        const ofRequest = namesRequest ? ['X-Request-Id', requestId, ...Object.entries(limits.headers()).flat()] : []
        response.writeHead(status, [...headers, ...ofHead(head), ...more, ...ofRequest]).end(body)
      },
      () => ({ requestId, method: 'GET', route, status, client, facts: {} }),
      start,
    )
  }

  const keep: MiddlewareHandler = async (c, next) => {
    const name =
      c.req.method === 'GET'
        ? answerNameOf((header) => c.req.header(header), hostAndPath(c.req.url), ofOneClient)
        : null
    const isAsked = name !== null && c.req.header('if-none-match') !== undefined
    const page = begunOf(c)?.page
    const readState = page === undefined ? tags.state : () => page.state
    const state = isAsked ? readState() : null
    c.set('begunBody', page?.body)
    c.set('stateHead', page?.head)
    await next()
    const { status, headers } = c.res
    const [etag, countedAs, keptBy] = [headers.get('ETag'), c.get('countedAs'), c.get('keptBy')]
    if (name === null || etag === null || countedAs === undefined) return
    const sharedFacts = { countedAs, route: routeOf(c), namesRequest: headers.has('X-Request-Id') }
    if (keptBy !== undefined && (status === 200 || status === 304)) {
      const ofPage = { ...sharedFacts, headers: headersOf(headers, [...ofState, ...ofBody]) }
      const routeName = routeNameOf(name)
      const kind = headers.has(ignoredName) ? 'ignoring' : 'plain'
      pages.put(routeName, { ...pages.find(routeName), keptBy, [kind]: ofPage }, 2 * ofPage.headers.join().length)
    }
    if (status === 304 && state !== null && c.get('ignoredNames') === undefined) {
      const ofTag = headersOf(headers, ofState)
      tags.keep(name, state, { ...sharedFacts, etag, sameWithin: c.get('sameWithin'), headers: ofTag })
    }
  }
  const begunOf = ({ env }: Context) => {
    const incomingMessage = (env as Partial<HttpBindings> | undefined)?.incoming as IncomingMessage | undefined
    return incomingMessage && begunRequests.get(incomingMessage)
  }
  return { answer, keep, countedLimits: (c) => begunOf(c)?.limits }
}

/**
 * Returns the cache key of a GET's answer: the URL, the host and the headers that the answer depends on. Returns null
 * if the request has one of the headers `ofOneClient`, because the answer is then only for this client.
 */
function answerNameOf(
  header: (name: string) => string | undefined,
  [host, path]: readonly [string, string],
  ofOneClient: readonly string[],
): string | null {
  if (ofOneClient.some((name) => header(name) !== undefined)) return null
  const coding = acceptsGzip(header('accept-encoding')) ? 'gzip' : 'plain'
  // An invalid host is refused, so the host is part of the key. No part contains a line break.
  return [coding, header('accept') ?? '*/*', host, path].join('\n')
}

/**
 * Returns `name`, the cache key of one answer, without the query of the URL. The result is thus the same for every
 * query of a route.
 */
function routeNameOf(name: string): string {
  const [path = ''] = name.slice(name.lastIndexOf('\n')).split('?', 1)
  return name.slice(0, name.lastIndexOf('\n')) + path
}

/** Returns an absolute URL for the route's parser. */
function wholeUrl(pathAndQuery: string): string {
  return `http://localhost${pathAndQuery}`
}

/**
 * Splits a URL into host and path with query. Example: `hostAndPath('http://127.0.0.1/api/tasks?limit=1')` returns
 * `['127.0.0.1', '/api/tasks?limit=1']`.
 */
function hostAndPath(url: string): [string, string] {
  const begin = url.indexOf('//') + 2
  const end = url.indexOf('/', begin)
  return [url.slice(begin, end), url.slice(end)]
}

/**
 * Returns the path and query of a URL. Example: `pathAndQuery('http://127.0.0.1/api/tasks?limit=1')` returns
 * `'/api/tasks?limit=1'`.
 */
export function pathAndQuery(url: string): string {
  return hostAndPath(url)[1]
}
