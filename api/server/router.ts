import type { Context, Hono } from 'hono'
import type { ZodType } from 'zod'
import type { Deps } from '../deps.ts'
import type { RouteContract } from '../features/define-route.ts'
import { readJsonBody } from '../http/bodies/read-json-body.ts'
import { compressedText, isCompressed } from '../http/compression.ts'
import { isKnownTag } from '../http/entity-tags.ts'
import { checkUnknownFields } from '../http/handling.ts'
import { identityHeaderNames } from '../http/header-names.ts'
import { answerJsonText } from '../http/json-answer.ts'
import { parseWith } from '../http/parse.ts'
import { readQuery } from '../http/query.ts'
import { countWrite } from '../writes/count-write.ts'
import { handleWrite } from '../writes/pipeline.ts'
import type { AnyWrite } from '../writes/relayed-write.ts'
import { answerProbes } from '../writes/stages/answer-probe.ts'
import { type KeptRoute, openKeptRoute } from './kept-route.ts'
import { pathAndQuery } from './known-answers.ts'
import { type AnswerBody, toAnswerBody } from './response-cache.ts'
import { cacheControlOf } from './shared-caches.ts'

/**
 * Mounts a route. For each request it checks the rate limit, parses the request, calls the handler and sends the
 * answer. Example: `mountRoute(app, deps, getHealth)` serves `GET /api/health`.
 */
export function mountRoute(app: Hono, deps: Deps, route: RouteContract): void {
  const keptRoute = openKeptRoute(deps, route)
  const limit = route.rateLimit ?? (route.method === 'get' ? 'reads' : 'writes')
  const handle = async (c: Context) => {
    const request = await readRequest(c, route)
    if (route.isMadeOfRows?.(request) === true) c.set('countedAs', limit)
    const sentTags = c.req.header('if-none-match')
    const tag = sentTags === undefined ? null : await route.findTag?.(deps, request, c)
    if (tag != null && isKnownTag(sentTags, tag)) return c.body(null, 304, { ETag: tag })
    return await route.handler(deps, request, c)
  }
  const answerKept = async (c: Context, keptRoute: KeptRoute) => {
    const make = () => keptRoute.make(c.req.url)
    const body = await (c.get('begunBody') ?? keptRoute.answers.answer(pathAndQuery(c.req.url), make))
    c.set('keptBy', keptRoute)
    return await answerBody(c, body, isForCaller(route))
  }
  const answer = async (c: Context) => {
    checkUnknownFields(c, { input: readQuery(c.req.url), schema: route.query }, route.inputReason)
    if (keptRoute !== null) {
      c.set('countedAs', limit)
      return await answerKept(c, keptRoute)
    }
    const answer = await handle(c)
    return answer instanceof Response ? answer : await answerJson(c, answer, isForCaller(route))
  }
  app.on(route.method.toUpperCase(), honoPath(fullPath(route)), async (c) => {
    await c.get('rateLimits').consume(limit)
    const response = await answer(c)
    sayWhoMayKeepIt(response.headers, deps, route)
    return response
  })
}

/** Mounts a relayed write, whose requests `handleWrite` processes. */
export function mountWrite(app: Hono, deps: Deps, write: AnyWrite): void {
  app.post(honoPath(`/api${write.path}`), countWrite(write, answerProbes(deps, write, handleWrite(deps, write))))
}

/** Returns the methods that a path supports. For an unknown path returns an empty list. */
export function methodsAt(app: Hono, path: string): string[] {
  const methods = ['GET', 'POST', 'PUT', 'DELETE'].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  )
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

/** Returns the full path of a route, with path parameters in braces. */
export function fullPath(route: Pick<RouteContract, 'path' | 'root'>): string {
  return route.root ? route.path : `/api${route.path}`
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

async function readRequest(c: Context, route: RouteContract) {
  return {
    params: route.params && parseWith(route.params, c.req.param(), route.inputReason),
    query: route.query && parseWith(route.query, readQuery(c.req.url), route.inputReason),
    body: route.body && (await readBody(c, route.body, route)),
  }
}

async function readBody(c: Context, schema: ZodType, { params, inputReason }: RouteContract): Promise<unknown> {
  const input = await readJsonBody(c)
  checkUnknownFields(c, { input, schema, besides: params }, inputReason)
  return parseWith(schema, input, inputReason)
}

/** Sets the headers that control caching. Headers that the handler set are not changed. */
function sayWhoMayKeepIt(headers: Headers, deps: Deps, route: RouteContract): void {
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', cacheControlOf(route))
  if (!isForCaller(route)) return
  const identity = identityHeaderNames(deps.config.SERVICE_NAME)
  headers.append('Vary', [...identity, ...Object.keys(route.headers ?? {})].join(', '))
}

/** Returns true if the answers of a route depend on the caller. */
function isForCaller({ audience = 'anyone' }: RouteContract): boolean {
  return audience !== 'anyone'
}

/** Answers with JSON. The answer of a read (GET or HEAD) also has an entity tag. */
async function answerJson(c: Context, answer: object | null, isPrivate: boolean): Promise<Response> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return await answerBody(c, toAnswerBody(answer), isPrivate)
  return answerJsonText(c, answer)
}

/**
 * Answers with JSON and an entity tag. If the client already has the body with this tag, answers with 304. An answer
 * for all callers is compressed if the client accepts compression. A private answer is never compressed: the compressed
 * length could disclose secrets (decision 27).
 */
async function answerBody(c: Context, body: AnswerBody, isPrivate: boolean): Promise<Response> {
  varyByCoding(c, isPrivate)
  const isShort = !isPrivate && isCompressed(body, c.req.header('accept-encoding'))
  // A compressed body has other bytes for the same value, so its tag is weak.
  c.header('ETag', isShort ? `W/${body.tag}` : body.tag)
  if (c.get('knownTag') === body.tag || isKnownTag(c.req.header('if-none-match'), body.tag)) return c.body(null, 304)
  c.header('Content-Type', 'application/json')
  if (!isShort) return c.body(body.bytes)
  c.header('Content-Encoding', 'gzip')
  return c.body(new Uint8Array(await compressedText(body)))
}

function varyByCoding(c: Context, isPrivate: boolean): void {
  if (!isPrivate) c.header('Vary', 'Accept-Encoding', { append: true })
}
