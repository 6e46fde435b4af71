import type { Hono, MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { answerJsonText } from '../http/json-answer.ts'
import type { Observability } from '../observability/observability.ts'
import { mountMetrics } from './mount-metrics.ts'

/**
 * Mounts the routes of operators and balancers: `GET /ready` (`?for=writes` is 503 where writes are), and `GET
 * /metrics` unless it has a separate listener. No rate limit counts them, and the documented API omits them.
 */
export function mountOperatorRoutes(app: Hono, observe: Observability, config: Config): void {
  app.get('/ready', async (c) => {
    const report = await observe.readiness.report()
    const isServing = report.status === 'ready' || report.status === 'degraded'
    const isReady = c.req.query('for') === 'writes' ? isServing && report.writes : isServing
    return answerJsonText(c, report, isReady ? 200 : 503, { 'Cache-Control': 'no-store' })
  })
  if (config.METRICS_PORT === undefined) mountMetrics(app, observe.scrape, config)
}

/** Asks clients with a kept connection to open their next one elsewhere. */
export function endConnectionsWhileDraining({ readiness }: Observability): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (readiness.isDraining()) c.res.headers.set('Connection', 'close')
  }
}
