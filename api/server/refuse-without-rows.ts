import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { missingRows } from '../errors/missing-rows.ts'
import { serviceHeaderNames } from '../http/header-names.ts'

/** Begins of routes and procedures that are answered without the indexer's rows. */
const WITHOUT_ROWS = /^(?:health|intents|legal)(?:[./]|$)/
/** Reads that are asked with POST. */
const SQL = /^sql(?:[./]|$)/

/**
 * Refuses reads while rows are missing. A write looks up its key first: it may be bound already. A read with a key is no write.
 * @throws ServiceError 503 `index_recovering` with Retry-After and the height to come
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
 * The route of a path, or its procedures; none of what is not about the market.
 * Example: `/trpc/health,tasks.list` has `health` and `tasks.list`.
 */
function namesOf(path: string): string[] {
  const [, names] = /^\/(?:api|trpc)\/(.*)/.exec(path) ?? []
  return names?.split(/,|%2c/i) ?? []
}
