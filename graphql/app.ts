import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import type pg from 'pg'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { createClientIpReader, createClientNamer } from '../api/identity/client-ip.ts'
import { mountMetrics } from '../api/server/mount-metrics.ts'
import { setSecurityHeaders } from '../api/server/transport.ts'
import { createPrepareOperation } from './bounds.ts'
import type { GraphqlSettings } from './config.ts'
import { createExecuteOperation } from './execute.ts'
import { mountExplorer } from './explorer/mount-explorer.ts'
import { describeFailure } from './failure.ts'
import type { GraphqlMetrics } from './graphql-metrics.ts'
import { limits } from './limits.ts'
import { readBody } from './read-body.ts'
import { RequestError, refuse, toErrorResponse } from './request-error.ts'
import { buildMarketSchema } from './schema/build-schema.ts'
import type { ReadContext } from './schema/read-context.ts'

interface GraphqlDeps {
  settings: Pick<GraphqlSettings, 'TRUSTED_PROXIES' | 'GRAPHQL_REQUESTS_PER_MINUTE'>
  /** Id and name of the deployment's chain. */
  chain: ReadContext['chain']
  /** Connection pool with the read-only database login (reader-pool.ts). The caller must close the pool. */
  pool: pg.Pool
  log: Logger
  metrics: GraphqlMetrics
  /** Returns the metrics in Prometheus text format; absent if another listener serves `/metrics`. */
  scrape?: () => Promise<string>
}

const ADVICE = 'Send POST /graphql with a JSON body {"query": "{ tasks { items { id } } }"}.'

/**
 * Creates the HTTP application. It serves `POST /graphql`, the query explorer at `GET /graphql`, and `GET /health`,
 * which answers without a query to the database.
 * @example
 * POST /graphql  {"query": "{ tasks { totalCount } }"}
 * 200            {"data":{"tasks":{"totalCount":3}}}
 */
export function createGraphqlApp({ settings, chain, pool, log, metrics, scrape }: GraphqlDeps): Hono {
  const schema = buildMarketSchema()
  const prepareOperation = createPrepareOperation(schema)
  const executeOperation = createExecuteOperation({ schema, chain, pool, log })
  const consumeRequest = createRateLimit(settings.GRAPHQL_REQUESTS_PER_MINUTE)
  const clientIp = createClientIpReader(createClientNamer(settings.TRUSTED_PROXIES))

  const app = new Hono()
  app.use(setSecurityHeaders())
  app.use(
    cors({
      origin: '*',
      allowMethods: ['POST', 'GET'],
      allowHeaders: ['Content-Type'],
      exposeHeaders: ['Retry-After'],
    }),
  )
  app.get('/health', (c) => c.json({ status: 'ok' }))
  if (scrape !== undefined) mountMetrics(app, scrape, settings)
  mountExplorer(app)
  app.use('/graphql', observeRequests(log, metrics))
  app.post('/graphql', async (c, next) => {
    await consumeRequest(clientIp(c))
    refuseOtherTypes(c)
    await next()
  })
  app.post('/graphql', bodyLimit({ maxSize: limits.bodyBytes, onError: refuseLargeBody }), async (c) => {
    const operation = prepareOperation(readBody(await c.req.text()))
    const body = await executeOperation(operation, clientIp(c))
    return c.body(body, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  })
  app.all('/graphql', () => refuseMethod('GET, HEAD, POST, OPTIONS'))
  app.all('/health', () => refuseMethod('GET, HEAD, OPTIONS'))
  app.notFound(() => toErrorResponse(new RequestError('NOT_FOUND', `There is nothing at this path. ${ADVICE}`)))
  app.onError((error) => {
    if (error instanceof RequestError) return toErrorResponse(error)
    if (isCutOff(error)) return toErrorResponse(new RequestError('BAD_REQUEST', 'The body did not arrive completely.'))
    log.error({ failure: describeFailure(error) }, 'request failed')
    return toErrorResponse(
      new RequestError('INTERNAL_SERVER_ERROR', 'Internal error: the request could not be handled.'),
    )
  })
  return app
}

/**
 * Counts each request in the metrics and logs one line. The line contains neither the document nor the variables nor
 * the client's address.
 */
function observeRequests(log: Logger, metrics: GraphqlMetrics): MiddlewareHandler {
  return async (c, next) => {
    const start = performance.now()
    await next()
    const milliseconds = Math.round(performance.now() - start)
    const code = c.error instanceof RequestError ? c.error.code : undefined
    const answer = code ?? (c.error === undefined ? 'OK' : 'INTERNAL_SERVER_ERROR')
    metrics.requestAnswered({ code: answer, seconds: milliseconds / 1000 })
    log.info({ method: c.req.method, status: c.res.status, code, milliseconds }, 'graphql request')
  }
}

/** Limits the requests of each client IP. Each process counts only the requests that it receives. */
function createRateLimit(requestsPerMinute: number): (client: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 })
  return async (client) => {
    const refusal: unknown = await limiter.consume(client).then(
      () => null,
      (error: unknown) => error,
    )
    if (refusal === null) return
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    const message = `Each client IP may send ${requestsPerMinute} requests a minute; try again in ${seconds} seconds.`
    refuse('RATE_LIMITED', message, { 'Retry-After': String(seconds) })
  }
}

function refuseOtherTypes(c: Context): void {
  if (/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) return
  refuse('UNSUPPORTED_MEDIA_TYPE', `The header Content-Type must be application/json. ${ADVICE}`)
}

/**
 * Refuses a body that is too large. The server does not read the body and closes the connection, so the client must
 * open a new one.
 */
function refuseLargeBody(): never {
  const headers = { Connection: 'close' }
  return refuse('PAYLOAD_TOO_LARGE', `The body may have at most ${limits.bodyBytes} bytes.`, headers)
}

function refuseMethod(allow: string): never {
  return refuse('METHOD_NOT_ALLOWED', `This path does not take that method. ${ADVICE}`, { Allow: allow })
}

/** Returns true if the error means that the client disconnected before its body had arrived. */
function isCutOff(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET'
}
