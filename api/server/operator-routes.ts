import type { Hono, MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { answerJsonText } from '../http/json-answer.ts'
import type { Observability } from '../observability/observability.ts'
import { mountMetrics } from './mount-metrics.ts'

/**
 * Mounts the routes of operators and load balancers: `GET /ready`, and `GET /metrics` if metrics have no separate
 * listener. `GET /ready?for=writes` answers 503 if writes are impossible. No rate limit applies to these routes, and
 * the OpenAPI document does not contain them.
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

/**
 * Creates the middleware that closes each connection after its answer while the service shuts down. The client then
 * connects to another process.
 */
export function endConnectionsWhileDraining({ readiness }: Observability): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (readiness.isDraining()) c.res.headers.set('Connection', 'close')
  }
}
