import type { Context, Hono } from 'hono'
import type { ZodType } from 'zod'
import type { Deps } from '../deps.ts'
import type { RouteContract } from '../features/define-route.ts'
import { readJsonBody } from '../http/bodies/read-json-body.ts'
import { compressedText, isCompressed } from '../http/compression.ts'
import { isKnownTag, tagOf } from '../http/entity-tags.ts'
import { checkUnknownFields } from '../http/handling.ts'
import { identityHeaderNames } from '../http/header-names.ts'
import { answerJsonText } from '../http/json-answer.ts'
import { parseWith } from '../http/parse.ts'
import { readQuery } from '../http/query.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { toJsonText } from '../text/json-text.ts'
import { countWrite } from '../writes/count-write.ts'
import { handleWrite } from '../writes/pipeline.ts'
import type { AnyWrite } from '../writes/relayed-write.ts'
import { answerProbes } from '../writes/stages/answer-probe.ts'
import { pathAndQuery } from './current-tags.ts'
import { type AnswerBody, createResponseCache, type ResponseCache } from './response-cache.ts'
import { cacheControlOf } from './shared-caches.ts'

/** Mounts a route: rate limit, parse, handler, answer. */
export function mountRoute(app: Hono, deps: Deps, route: RouteContract): void {
  const keep = isKept(route) ? createResponseCache(deps, { tellsState: route.caching === 'stated' }) : null
  const limit = route.rateLimit ?? (route.method === 'get' ? 'reads' : 'writes')
  const handle = async (c: Context) => {
    const request = await readRequest(c, route)
    if (route.isMadeOfRows?.(request) === true) c.set('countedAs', limit)
    const sent = c.req.header('if-none-match')
    const tag = sent === undefined ? null : await route.findTag?.(deps, request, c)
    if (tag != null && isKnownTag(sent, tag)) return c.body(null, 304, { ETag: tag })
    return await route.handler(deps, request, c)
  }
  const answerKept = async (c: Context, keepAnswer: ResponseCache) => {
    const body = await keepAnswer(pathAndQuery(c.req.url), async () => toBody(await handle(c)))
    return await answerBody(c, body, isForCaller(route))
  }
  const answer = async (c: Context) => {
    checkUnknownFields(c, { input: readQuery(c.req.url), schema: route.query }, route.inputReason)
    if (keep !== null) {
      c.set('countedAs', limit)
      return await answerKept(c, keep)
    }
    const made = await handle(c)
    return made instanceof Response ? made : await answerJson(c, made, isForCaller(route))
  }
  app.on(route.method.toUpperCase(), honoPath(fullPath(route)), async (c) => {
    await c.get('rateLimits').consume(limit)
    const response = await answer(c)
    sayWhoMayKeepIt(response.headers, deps, route)
    return response
  })
}

/** Mounts a relayed write. Its stages are the pipeline's. */
export function mountWrite(app: Hono, deps: Deps, write: AnyWrite): void {
  app.post(honoPath(`/api${write.path}`), countWrite(write, answerProbes(deps, write, handleWrite(deps, write))))
}

/** The methods that a path takes; none for a path that is no route. */
export function methodsAt(app: Hono, path: string): string[] {
  const methods = ['GET', 'POST', 'PUT', 'DELETE'].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  )
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

/** The path of a route below the service's root, with braces. */
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

/** Unless the handler said it. */
function sayWhoMayKeepIt(headers: Headers, deps: Deps, route: RouteContract): void {
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', cacheControlOf(route))
  if (!isForCaller(route)) return
  const identity = identityHeaderNames(deps.config.SERVICE_NAME)
  headers.append('Vary', [...identity, ...Object.keys(route.headers ?? {})].join(', '))
}

/** Whether the answers of a route depend on who asks. */
function isForCaller({ audience = 'anyone' }: RouteContract): boolean {
  return audience !== 'anyone'
}

function isKept({ caching = 'revalidate' }: RouteContract): boolean {
  return caching !== 'revalidate'
}

/** JSON; of a read with an entity tag. */
async function answerJson(c: Context, made: object | null, isPrivate: boolean): Promise<Response> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return await answerBody(c, toBody(made), isPrivate)
  return answerJsonText(c, made)
}

function toBody(made: Response | object | null): AnswerBody {
  if (made instanceof ReadyJson) return made
  const text = toJsonText(made)
  return { text, tag: tagOf(text) }
}

/**
 * JSON with an entity tag, or 304 when the client has just this. What all callers are answered is compressed for those
 * who ask for that. What one caller alone is answered is not: its length would tell a listener of its secrets, next to
 * what others put into it (decision 27).
 */
async function answerBody(c: Context, body: AnswerBody, isPrivate: boolean): Promise<Response> {
  varyByCoding(c, isPrivate)
  const isShort = !isPrivate && isCompressed(body, c.req.header('accept-encoding'))
  // Of other bytes, and of the same value.
  c.header('ETag', isShort ? `W/${body.tag}` : body.tag)
  if (c.get('knownTag') === body.tag || isKnownTag(c.req.header('if-none-match'), body.tag)) return c.body(null, 304)
  c.header('Content-Type', 'application/json')
  if (!isShort) return c.body(body.text)
  c.header('Content-Encoding', 'gzip')
  return c.body(new Uint8Array(await compressedText(body)))
}

function varyByCoding(c: Context, isPrivate: boolean): void {
  if (!isPrivate) c.header('Vary', 'Accept-Encoding', { append: true })
}
