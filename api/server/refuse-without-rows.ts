import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { missingRows } from '../errors/missing-rows.ts'
import { serviceHeaderNames } from '../http/header-names.ts'

/** Matches the routes and procedures that need no rows of the indexer. */
const WITHOUT_ROWS = /^(?:health|intents|legal)(?:[./]|$)/
/** Matches the routes that only read but use POST. */
const SQL = /^sql(?:[./]|$)/

/**
 * Creates the middleware that acts while the indexer's rows are incomplete: it refuses requests that need the rows. A
 * write with an idempotency key passes, because the write may already be recorded.
 * @throws ServiceError 503 `index_recovering` with Retry-After and the block that the indexer must reach first
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
 * Returns the route of an API path, or the procedures of a tRPC path. Returns an empty list for any other path.
 * Example: `namesOf('/trpc/health,tasks.list')` returns `['health', 'tasks.list']`.
 */
function namesOf(path: string): string[] {
  const [, names] = /^\/(?:api|trpc)\/(.*)/.exec(path) ?? []
  return names?.split(/,|%2c/i) ?? []
}
