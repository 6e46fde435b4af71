import type { MiddlewareHandler } from 'hono'

/**
 * Refuses the pages of other origins. The package's own middleware compares host names alone, for which every port of a
 * machine is the same origin.
 */
export function refuseForeignOrigin(ownOrigin: string): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin === undefined || origin === ownOrigin) return await next()
    return c.json(
      { jsonrpc: '2.0', error: { code: -32_000, message: 'Pages of other origins may not call this.' }, id: null },
      403,
    )
  }
}
