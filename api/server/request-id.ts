import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'

const MAX_LENGTH = 64

declare module 'hono' {
  interface ContextVariableMap {
    /** The id of the request in logs and in the header `X-Request-Id` of its answer. */
    requestId: string
  }
}

/** Creates the middleware that gives each request an id and sends the id in the header `X-Request-Id`. */
export function giveRequestId(): MiddlewareHandler {
  return async (c, next) => {
    const id = requestIdOf(c.req.header('x-request-id'))
    c.set('requestId', id)
    c.header('X-Request-Id', id)
    await next()
  }
}

/**
 * Returns the id that the client sent if the id is short and plain. Otherwise returns a new id. Example:
 * `requestIdOf('abc-1')` returns `'abc-1'`.
 */
export function requestIdOf(sentId: string | undefined): string {
  return sentId !== undefined && sentId.length <= MAX_LENGTH && /^[\w\-=]+$/.test(sentId) ? sentId : randomUUID()
}
