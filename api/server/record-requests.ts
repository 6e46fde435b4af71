import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Logger } from 'pino'
import type { ClientIpReader } from '../identity/client-ip.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type RequestFacts, requestFactsOf } from '../observability/request-facts.ts'
import type { RequestSpan, Tracing } from '../observability/tracing/tracing.ts'
import { classOfClient } from './client-class.ts'

export interface RequestLogOptions {
  log: Logger
  metrics: Metrics
  tracing: Tracing
}

/** An answered request. */
export interface AnsweredRequest {
  requestId: string
  method: string
  /** The path template of the route, with braces as in the documentation; `none` for an unknown path. */
  route: string
  status: number
  /** The client's address, or its IPv6 network. */
  client: string
  facts: RequestFacts
}

/**
 * Runs the work of a request, then traces, counts and logs the request. `describe`: returns the facts to record; called
 * after the work. `start`: the request's arrival time in milliseconds of `performance.now`; by default the time of this
 * call.
 */
export type RequestRecorder = (
  work: () => Promise<void>,
  describe: () => AnsweredRequest,
  start?: number,
) => Promise<void>

/**
 * Creates the function that records requests: metrics, and one log line for each request. The log has the template of
 * the route instead of the path. Logs omit queries, headers, bodies and addresses.
 */
export function createRequestRecorder({ log, metrics, tracing }: RequestLogOptions): RequestRecorder {
  // These lines have no object values, so the costly search for names to redact is off.
  const lines = log.child({}, { redact: [] })
  return async (work, describe, start = performance.now()) => {
    await tracing.request(work, () => toSpan(describe()))
    const milliseconds = performance.now() - start
    const { requestId, method, route, status, client, facts } = describe()
    const { operation, intentId, reason, waitedMilliseconds = 0 } = facts
    metrics.requestAnswered({ method, route, status, seconds: (milliseconds - waitedMilliseconds) / 1000 })
    if (operation !== undefined) {
      const outcome = reason ?? (status === 402 ? 'challenge' : 'ok')
      metrics.writeAnswered({ operation, outcome, seconds: milliseconds / 1000 })
    }
    lines.info(
      {
        requestId,
        method,
        route,
        status,
        milliseconds: Math.round(milliseconds),
        client: classOfClient(client),
        operation,
        intentId,
        reason,
      },
      'request',
    )
  }
}

/** Creates the middleware that records each request of the app. */
export function recordRequests(record: RequestRecorder, clientIp: ClientIpReader): MiddlewareHandler {
  return async (c, next) => {
    await record(next, () => ({
      requestId: c.get('requestId'),
      method: c.req.method,
      route: routeOf(c),
      status: c.res.status,
      client: clientIp(c),
      facts: requestFactsOf(c),
    }))
  }
}

function toSpan({ method, route, status, facts: { operation, intentId, reason } }: AnsweredRequest): RequestSpan {
  return {
    name: `${method} ${route}`,
    intentId,
    isError: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      ...(operation !== undefined && { 'taskmarket.operation': operation }),
      ...(intentId !== undefined && { 'taskmarket.intent_id': intentId }),
      ...(reason !== undefined && { 'taskmarket.reason': reason }),
    },
  }
}

/** Returns the path template of a request, with braces as in the documentation, or `none` for an unknown path. */
export function routeOf(c: Context): string {
  // Middleware matches every path.
  const route = matchedRoutes(c).find(({ path }) => path !== '/*' && path !== '*')
  return route === undefined ? 'none' : route.path.replace(/:(\w+)/g, '{$1}')
}
