import type { MiddlewareHandler } from 'hono'

/**
 * What a cache that many clients share may do with the answer of a route that is the same for all of them: one second
 * without a question, then it asks with the entity tag. Browsers ask every time.
 */
export const SHARED_ANSWER = 'public, max-age=0, s-maxage=1'

/**
 * Keeps every other answer out of shared caches, for anonymous callers too: a credential may be in the query, and caches
 * keep errors that do not forbid it, such as the 404 of a task that another caller may see.
 */
export function forbidSharedCaches(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (c.res.headers.has('Cache-Control')) return
    c.res.headers.set('Cache-Control', c.res.status >= 400 ? 'no-store' : 'private, no-cache')
  }
}
