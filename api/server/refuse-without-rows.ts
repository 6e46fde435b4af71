import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { missingRows } from '../errors/missing-rows.ts'
import { serviceHeaderNames } from '../http/header-names.ts'

/** The first words of routes and procedures that need no indexer rows. */
const WITHOUT_ROWS = /^(?:health|intents|legal)(?:[./]|$)/
/** The reads that use POST. */
const SQL = /^sql(?:[./]|$)/

/**
 * Creates the middleware that refuses reads while rows are missing. A write checks its key first, because it may be
 * bound already; a read with a key is no write.
 * @throws ServiceError 503 `index_recovering` with Retry-After and the target height
 */
export function refuseWithoutRows({ config, indexedHead }: Pick<Deps, 'config' | 'indexedHead'>): MiddlewareHandler {
  const { idempotencyKey } = serviceHeaderNames(config.SERVICE_NAME)
  return async (c, next) => {
    const head = indexedHead.current()
    const names = namesOf(c.req.path)
    const needsRows = names.some((name) => !WITHOUT_ROWS.test(name))
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD' || names.some((name) => SQL.test(name))
    const isWrite = !isRead && c.req.header(idempotencyKey) !== undefined
    if (head !== null && !head.ready && needsRows && !isWrite) throw missingRows(head)
    await next()
  }
}

/**
 * Returns the route of a path, or its procedures; none outside the API. Example: `namesOf('/trpc/health,tasks.list')`
 * returns `['health', 'tasks.list']`.
 */
function namesOf(path: string): string[] {
  const [, names] = /^\/(?:api|trpc)\/(.*)/.exec(path) ?? []
  return names?.split(/,|%2c/i) ?? []
}
