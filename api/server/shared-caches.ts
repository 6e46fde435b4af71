import type { MiddlewareHandler } from 'hono'
import type { RouteContract } from '../features/define-route.ts'
import { answerHeaderNames } from '../http/header-names.ts'

/**
 * The `Cache-Control` of an answer that is the same for all callers. A shared cache may use it for one second and then
 * revalidates it by the entity tag. Browsers revalidate it every time.
 */
const SHARED_ANSWER = 'public, max-age=0, s-maxage=1'

const OWN_ANSWER = 'private, no-cache'

/** Returns the `Cache-Control` of a route's successful answers. The OpenAPI document contains the same value. */
export function cacheControlOf({
  cacheControl,
  caching = 'revalidate',
  audience = 'anyone',
}: Pick<RouteContract, 'cacheControl' | 'caching' | 'audience'>): string {
  if (cacheControl !== undefined) return cacheControl
  if (caching !== 'revalidate') return SHARED_ANSWER
  return audience === 'anyone' ? OWN_ANSWER : 'private'
}

/** The headers that belong to one request and must not reach other clients. */
export const OF_ONE_REQUEST = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']

/**
 * Creates the middleware that keeps answers out of shared caches unless their route allows shared caching.
 * - Answers of other routes are kept out even for anonymous callers, because a credential may be in the query.
 * - Errors are kept out, because another caller may be allowed to read a task for which this caller received a 404.
 * - Answers with ignored names are kept out even if the route allows shared caching, because a client that requests
 *   strict handling must be refused instead.
 */
export function forbidSharedCaches(serviceName: string): MiddlewareHandler {
  const { ignored } = answerHeaderNames(serviceName)
  return async (c, next) => {
    await next()
    const { headers, status } = c.res
    const cacheControl = headers.get('Cache-Control')
    if (cacheControl === null) headers.set('Cache-Control', status >= 400 ? 'no-store' : OWN_ANSWER)
    if (cacheControl?.startsWith('public') !== true) return
    if (headers.has(ignored) || headers.has('Preference-Applied')) headers.set('Cache-Control', OWN_ANSWER)
    else for (const name of OF_ONE_REQUEST) headers.delete(name)
  }
}
