import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { missingRows } from '../errors/missing-rows.ts'
import { serviceHeaderNames } from '../http/header-names.ts'

/** Paths that are answered without the indexer's rows. */
const WITHOUT_ROWS = /^\/(?:api|trpc)\/(?:health|intents|legal)(?:[./]|$)/

/**
 * Refuses reads while rows are missing. A write looks up its key first: it may be bound already.
 * @throws ServiceError 503 `index_recovering` with Retry-After and the height to come
 */
export function refuseWithoutRows({ config, indexedHead }: Pick<Deps, 'config' | 'indexedHead'>): MiddlewareHandler {
  const { idempotencyKey } = serviceHeaderNames(config.SERVICE_NAME)
  return async (c, next) => {
    const head = indexedHead.current()
    const needsRows = /^\/(?:api|trpc)\//.test(c.req.path) && !WITHOUT_ROWS.test(c.req.path)
    const isWrite = c.req.header(idempotencyKey) !== undefined
    if (head !== null && !head.ready && needsRows && !isWrite) throw missingRows(head)
    await next()
  }
}
