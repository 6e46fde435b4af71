import { createServer, type Server } from 'node:http'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { answerJsonText } from '../http/json-answer.ts'
import { withoutMapping } from '../identity/client-ip.ts'
import type { Observability } from '../observability/observability.ts'
import { classOfClient } from './client-class.ts'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** What a proxy adds: behind one, the client is not on this machine. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/**
 * Mounts what operators and balancers ask for: `GET /ready` (`?for=writes`: 503 wherever writes are), and `GET /metrics`
 * unless it has a listener of its own.
 * They count under no rate limit, and are not part of the documented API.
 */
export function mountOperatorRoutes(app: Hono, observe: Observability, config: Config): void {
  app.get('/ready', async (c) => {
    const report = await observe.readiness.report()
    const isServing = report.status === 'ready' || report.status === 'degraded'
    const isReady = c.req.query('for') === 'writes' ? isServing && report.writes : isServing
    return answerJsonText(c, report, isReady ? 200 : 503, { 'Cache-Control': 'no-store' })
  })
  if (config.METRICS_PORT !== undefined) return
  app.get('/metrics', async (c) => {
    // Behind a proxy of this machine every client looks local, so then there is only the other listener.
    if (config.TRUSTED_PROXIES.length > 0 || !isDirectAndLocal(c)) return c.notFound()
    return c.body(await observe.scrape(), 200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' })
  })
}

/** Tells clients whose connection is kept alive to open their next one elsewhere. */
export function endConnectionsWhileDraining({ readiness }: Observability): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (readiness.isDraining()) c.res.headers.set('Connection', 'close')
  }
}

/** `/metrics` and nothing else, on an address of its own. */
export function createMetricsServer(observe: Pick<Observability, 'scrape'>): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await observe.scrape()
      response.writeHead(200, { 'Content-Type': METRICS_TYPE }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
}

function isDirectAndLocal(c: Context): boolean {
  if (FORWARDING_HEADERS.some((name) => c.req.header(name) !== undefined)) return false
  const isSocket = c.env !== undefined && 'incoming' in c.env
  // Without a socket the caller is this very process.
  return !isSocket || classOfClient(withoutMapping(getConnInfo(c).remote.address ?? '')) === 'loopback'
}
