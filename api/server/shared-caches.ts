import type { MiddlewareHandler } from 'hono'
import type { RouteContract } from '../features/define-route.ts'
import { answerHeaderNames } from '../http/header-names.ts'

/**
 * The caching of a common answer: a shared cache may use it for one second, then it revalidates by the entity tag.
 * Browsers revalidate every time.
 */
const SHARED_ANSWER = 'public, max-age=0, s-maxage=1'

const OWN_ANSWER = 'private, no-cache'

/** Returns the `Cache-Control` of a successful answer, as the route's documentation states it. */
export function cacheControlOf({
  cacheControl,
  caching = 'revalidate',
  audience = 'anyone',
}: Pick<RouteContract, 'cacheControl' | 'caching' | 'audience'>): string {
  if (cacheControl !== undefined) return cacheControl
  if (caching !== 'revalidate') return SHARED_ANSWER
  return audience === 'anyone' ? OWN_ANSWER : 'private'
}

/** The headers of one request, which must not reach other clients. */
export const OF_ONE_REQUEST = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']

/**
 * Creates the middleware that keeps all other answers out of shared caches, also for anonymous callers. A credential
 * may be in the query, and caches store errors such as the 404 of a task that another caller may see. It includes
 * answers of shared routes with an ignored name, which a strict client is refused for.
 */
export function forbidSharedCaches(serviceName: string): MiddlewareHandler {
  const { ignored } = answerHeaderNames(serviceName)
  return async (c, next) => {
    await next()
    const { headers, status } = c.res
    const said = headers.get('Cache-Control')
    if (said === null) headers.set('Cache-Control', status >= 400 ? 'no-store' : OWN_ANSWER)
    if (said?.startsWith('public') !== true) return
    if (headers.has(ignored) || headers.has('Preference-Applied')) headers.set('Cache-Control', OWN_ANSWER)
    else for (const name of OF_ONE_REQUEST) headers.delete(name)
  }
}
