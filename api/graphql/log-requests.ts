import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import { RequestError } from './request-error.ts'

/** Writes one line a request, without its document, its variables or its address. */
export function logRequests(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    const start = performance.now()
    await next()
    const milliseconds = Math.round(performance.now() - start)
    const code = c.error instanceof RequestError ? c.error.code : undefined
    log.info({ method: c.req.method, status: c.res.status, code, milliseconds }, 'graphql request')
  }
}
