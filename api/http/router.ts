import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import type { Deps } from '../deps.ts'
import type { AnyWrite } from '../writes/define-write.ts'
import { handleWrite } from '../writes/pipeline.ts'
import { identityHeaderNames } from './header-names.ts'
import { parseWith } from './parse.ts'
import { readQuery } from './query.ts'
import { readJsonBody } from './read-json-body.ts'
import { noteRequest } from './request-facts.ts'
import type { RouteContract } from './route.ts'

/** Mounts a route: budget, parse, handler, answer. */
export function mountRoute(app: Hono, deps: Deps, route: RouteContract): void {
  app.on(route.method.toUpperCase(), honoPath(fullPath(route)), async (c) => {
    await c.get('budgets').spend(route.method === 'get' ? 'reads' : 'writes')
    const answer = await route.handler(deps, await readRequest(c, route), c)
    const response = answer instanceof Response ? answer : answerJson(c, answer)
    sayWhoMayKeepIt(response.headers, deps, route)
    return response
  })
}

/** Mounts a relayed write. Its stages are the pipeline's. */
export function mountWrite(app: Hono, deps: Deps, write: AnyWrite): void {
  app.post(honoPath(`/api${write.path}`), underBudget(write, handleWrite(deps, write)))
}

/** Counts the requests of a relayed write. One that was paid for, and landed, costs nothing of the budget. */
export function underBudget(
  { operation }: AnyWrite,
  handle: (c: Context) => Promise<Response>,
): (c: Context) => Promise<Response> {
  return async (c) => {
    noteRequest(c, { operation })
    const budgets = c.get('budgets')
    await budgets.spend('writes')
    const answer = await handle(c)
    if (answer.ok && c.req.header('payment-signature') !== undefined) await budgets.giveBack('writes')
    return answer
  }
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
    params: route.params && parseWith(route.params, c.req.param()),
    query: route.query && parseWith(route.query, readQuery(c.req.url)),
    body: route.body && parseWith(route.body, await readJsonBody(c)),
  }
}

/** Unless the handler said it. */
function sayWhoMayKeepIt(headers: Headers, deps: Deps, route: RouteContract): void {
  const isForCaller = route.readsCaller === true || route.readsDevice === true
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', isForCaller ? 'private' : 'no-cache')
  if (!isForCaller) return
  const identity = identityHeaderNames(deps.config.SERVICE_NAME)
  headers.append('Vary', [...identity, ...Object.keys(route.headers ?? {})].join(', '))
}

/** JSON with an entity tag, or 304 when the client has just this. */
function answerJson(c: Context, body: object | null): Response {
  const text = JSON.stringify(body)
  if (c.req.method === 'GET') {
    const tag = `"${createHash('sha1').update(text).digest('base64url')}"`
    c.header('ETag', tag)
    if (isKnownTag(c.req.header('if-none-match'), tag)) return c.body(null, 304)
  }
  return c.body(text, 200, { 'Content-Type': 'application/json' })
}

/** Weak comparison: a proxy that compresses may have weakened the tag it passed on. */
function isKnownTag(given: string | undefined, tag: string): boolean {
  return given?.split(',').some((known) => known.trim().replace(/^W\//, '') === tag) ?? false
}
