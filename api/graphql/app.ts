import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import type pg from 'pg'
import type { Logger } from 'pino'
import { createClientIpReader } from '../identity/client-ip.ts'
import { setSecurityHeaders } from '../server/transport.ts'
import { answerResult } from './answer-result.ts'
import type { GraphqlSettings } from './config.ts'
import { createExecuteOperation } from './execute-operation.ts'
import { describeFailure } from './failure.ts'
import { limits } from './limits.ts'
import { logRequests } from './log-requests.ts'
import { buildMarketGraphql } from './market-graphql.ts'
import { parseRequestBody } from './parse-request-body.ts'
import { prepareOperation } from './prepare-operation.ts'
import { createRateLimit } from './rate-limit.ts'
import { RequestError, toErrorResponse } from './request-error.ts'

export interface GraphqlDeps {
  settings: Pick<GraphqlSettings, 'TRUSTED_PROXIES' | 'GRAPHQL_REQUESTS_PER_MINUTE'>
  /** Of the reader's login (reader-pool.ts); stays the caller's to end. */
  pool: pg.Pool
  log: Logger
}

const ADVICE = 'Send POST /graphql with a JSON body {"query": "{ tasks { items { id } } }"}.'

/** The HTTP of GraphQL: `POST /graphql`, and `GET /health`, which does not query the database. */
export async function createGraphqlApp({ settings, pool, log }: GraphqlDeps): Promise<Hono> {
  const market = await buildMarketGraphql()
  const executeOperation = createExecuteOperation(market, pool)
  const consumeRequest = createRateLimit(settings.GRAPHQL_REQUESTS_PER_MINUTE)
  const clientIp = createClientIpReader(settings.TRUSTED_PROXIES)

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
  app.use('/graphql', logRequests(log))
  app.post('/graphql', async (c, next) => {
    const client = clientIp(c)
    await consumeRequest(client)
    refuseOtherTypes(c)
    await next()
  })
  app.post('/graphql', bodyLimit({ maxSize: limits.bodyBytes, onError: refuseLargeBody }), async (c) => {
    const operation = prepareOperation(market.schema, parseRequestBody(await c.req.text()))
    return answerResult(await executeOperation(operation, clientIp(c)), log)
  })
  app.all('/graphql', () => refuseMethod('POST, OPTIONS'))
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

function refuseOtherTypes(c: Context): void {
  if (/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) return
  throw new RequestError('UNSUPPORTED_MEDIA_TYPE', `The header Content-Type must be application/json. ${ADVICE}`)
}

function refuseLargeBody(): never {
  throw new RequestError('PAYLOAD_TOO_LARGE', `The body may have at most ${limits.bodyBytes} bytes.`)
}

function refuseMethod(allow: string): Response {
  return toErrorResponse(
    new RequestError('METHOD_NOT_ALLOWED', `This path does not take that method. ${ADVICE}`, { allow }),
  )
}

/** Whether the client went away before its body had arrived. */
function isCutOff(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET'
}
