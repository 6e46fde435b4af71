import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Logger } from 'pino'
import type { ClientIpReader } from '../identity/client-ip.ts'
import type { Metrics } from '../observability/metrics.ts'
import { requestFactsOf } from '../observability/request-facts.ts'
import type { Tracing } from '../observability/tracing/tracing.ts'
import { classOfClient } from './client-class.ts'

export interface RequestLogOptions {
  log: Logger
  metrics: Metrics
  clientIp: ClientIpReader
  tracing: Tracing
}

/**
 * One line a request, and its numbers. The route's template stands for the path; queries, headers, bodies and addresses
 * stay out: they carry tokens, signatures and people.
 */
export function logRequests({ log, metrics, clientIp, tracing }: RequestLogOptions): MiddlewareHandler {
  // No value of these lines is an object: to look for names in them takes most of a line's time.
  const lines = log.child({}, { redact: [] })
  return async (c, next) => {
    const start = performance.now()
    const route = routeOf(c)
    await tracing.request(next, () => {
      const { operation, intentId, reason } = requestFactsOf(c)
      return {
        name: `${c.req.method} ${route}`,
        intentId,
        isError: c.res.status >= 500,
        attributes: {
          'http.request.method': c.req.method,
          'http.route': route,
          'http.response.status_code': c.res.status,
          ...(operation !== undefined && { 'taskmarket.operation': operation }),
          ...(intentId !== undefined && { 'taskmarket.intent_id': intentId }),
          ...(reason !== undefined && { 'taskmarket.reason': reason }),
        },
      }
    })
    const milliseconds = performance.now() - start
    const { method } = c.req
    const { status } = c.res
    const { operation, intentId, reason, waitedMilliseconds = 0 } = requestFactsOf(c)
    metrics.requestAnswered({ method, route, status, seconds: (milliseconds - waitedMilliseconds) / 1000 })
    if (operation !== undefined) {
      const outcome = reason ?? (status === 402 ? 'challenge' : 'ok')
      metrics.writeAnswered({ operation, outcome, seconds: milliseconds / 1000 })
    }
    lines.info(
      {
        requestId: c.get('requestId'),
        method,
        route,
        status,
        milliseconds: Math.round(milliseconds),
        client: classOfClient(clientIp(c)),
        operation,
        intentId,
        reason,
      },
      'request',
    )
  }
}

/** The template a request is for, with braces as in the documentation; an unknown path has none. */
function routeOf(c: Context): string {
  // Middleware matches every path.
  const route = matchedRoutes(c).find(({ path }) => path !== '/*' && path !== '*')
  return route === undefined ? 'none' : route.path.replace(/:(\w+)/g, '{$1}')
}
