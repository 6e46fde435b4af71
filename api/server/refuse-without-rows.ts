import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { ServiceError } from '../errors/service-error.ts'

/** What answers without the indexer's rows. */
const WITHOUT_ROWS = /^\/(?:api|trpc)\/(?:health|intents|legal)(?:[./]|$)/
/** A recovery takes some seconds. */
const RETRY_AFTER_SECONDS = 2

/**
 * Refuses what is made of the indexer's rows while some of them are missing: an answer of fewer rows looks like a whole one.
 * @throws ServiceError 503 `index_recovering` with Retry-After and the height to come; nothing was charged
 */
export function refuseWithoutRows({ indexedHead }: Pick<Deps, 'indexedHead'>): MiddlewareHandler {
  return async (c, next) => {
    const head = indexedHead.current()
    if (head === null || head.ready || !/^\/(?:api|trpc)\//.test(c.req.path) || WITHOUT_ROWS.test(c.req.path)) {
      return await next()
    }
    const height = head.recoversTo === null ? '' : ` up to block ${head.recoversTo}`
    throw new ServiceError(
      503,
      'unclassified',
      `The index is being written${height} and is at block ${head.blockNumber}; some rows are missing now. ` +
        'Nothing was charged; send the same request again.',
      { detail: 'index_recovering', headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    )
  }
}
