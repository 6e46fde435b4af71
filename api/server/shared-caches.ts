import type { MiddlewareHandler } from 'hono'
import type { RouteContract } from '../features/define-route.ts'
import { answerHeaderNames } from '../http/header-names.ts'

/**
 * What a cache that many clients share may do with the answer of a route that is the same for all of them: one second
 * without a question, then it asks with the entity tag. Browsers ask every time.
 */
const SHARED_ANSWER = 'public, max-age=0, s-maxage=1'

const OWN_ANSWER = 'private, no-cache'

/** The `Cache-Control` of an answer without an error, as the documentation of the route has it. */
export function cacheControlOf({
  cacheControl,
  caching = 'revalidate',
  audience = 'anyone',
}: Pick<RouteContract, 'cacheControl' | 'caching' | 'audience'>): string {
  if (cacheControl !== undefined) return cacheControl
  if (caching !== 'revalidate') return SHARED_ANSWER
  return audience === 'anyone' ? OWN_ANSWER : 'private'
}

/** What an answer states of the request that it was made for: another client would take it for its own. */
export const OF_ONE_REQUEST = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']

/**
 * Keeps every other answer out of shared caches, for anonymous callers too: a credential may be in the query, and caches
 * keep errors that do not forbid it, such as the 404 of a task that another caller may see. Of the shared routes those
 * whose URL has another answer: with a name that was ignored, which a strict client is refused for.
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
