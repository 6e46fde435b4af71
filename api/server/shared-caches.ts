import type { MiddlewareHandler } from 'hono'
import type { RouteContract } from '../features/define-route.ts'
import { answerHeaderNames } from '../http/header-names.ts'

/**
 * The `Cache-Control` of an answer for all callers. A shared cache may use the answer for one second. After this
 * second, the cache must ask the service with the entity tag. Browsers must always ask.
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

/** The headers of one request. Other clients must not receive them. */
export const OF_ONE_REQUEST = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']

/**
 * Creates the middleware that keeps answers out of shared caches, unless the route allows shared caching. Two kinds of
 * answers are always kept out:
 * - Errors, because a different caller may be allowed to read the task.
 * - Answers to requests with unknown query parameters. By default these parameters are ignored, but a client that asks
 * for strict handling must get a refusal.
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
