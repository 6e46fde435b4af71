import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { type Logger, pino } from 'pino'
import { Registry } from 'prom-client'
import { createGraphqlApp } from '../../../graphql/app.ts'
import { createGraphqlMetrics } from '../../../graphql/graphql-metrics.ts'
import { openReaderPool } from '../../../graphql/reader-pool.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { type CapturedLog, captureLog } from '../../support/captured-log.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
}

export interface Asked {
  variables?: unknown
  operationName?: string
  /** The address of the request; one that no other request has unless given. */
  client?: string
}

/** GraphQL on the rows of its own database, by a login that reads `market` and nothing else. */
export interface GraphqlApi {
  app: Hono
  /** A connection as the owner of the rows. */
  rows: TestApi
  log: CapturedLog
  /** Of its metrics. */
  registry: Registry
  /** The login of GraphQL. */
  readerUrl: string
  ask: (query: string, asked?: Asked) => Promise<Answer>
  /** Sends a body unchanged. */
  post: (body: string, options?: { client?: string; headers?: Record<string, string> }) => Promise<Answer>
  stop: () => Promise<void>
}

/** GraphQL on a database. */
export function openGraphqlApp(
  readerUrl: string,
  { log = pino({ level: 'silent' }), requestsPerMinute = 1_000_000 }: { log?: Logger; requestsPerMinute?: number } = {},
) {
  const pool = openReaderPool({ READER_DATABASE_URL: readerUrl, MARKET_SCHEMA: 'market' }, log)
  const registry = new Registry()
  const app = createGraphqlApp({
    settings: { TRUSTED_PROXIES: [], GRAPHQL_REQUESTS_PER_MINUTE: requestsPerMinute },
    chain: { chainId: 8453, name: 'base' },
    pool,
    metrics: createGraphqlMetrics(registry, pool),
    scrape: () => registry.metrics(),
    log,
  })
  return { app, pool, registry }
}

export async function startGraphqlApi({ requestsPerMinute = 1_000_000 } = {}): Promise<GraphqlApi> {
  const rows = await startTestApi()
  const role = `reader_${randomUUID().replaceAll('-', '')}`
  await rows.sql.unsafe(`
    create role ${role} login password 'reader';
    grant usage on schema market to ${role};
    grant select on all tables in schema market to ${role}`)
  const url = new URL(rows.deps.config.DATABASE_URL)
  url.username = role
  url.password = 'reader'
  const log = captureLog()
  const { app, pool, registry } = openGraphqlApp(url.href, { log: pino({ level: 'info' }, log), requestsPerMinute })
  // Longer than a connection takes on a busy machine.
  pool.options.connectionTimeoutMillis = 30_000
  const post: GraphqlApi['post'] = (body, options) => sendTo(app, body, options)
  return {
    app,
    rows,
    log,
    registry,
    post,
    readerUrl: url.href,
    ask: (query, { client, ...members } = {}) =>
      post(JSON.stringify({ query, ...members }), client === undefined ? {} : { client }),
    stop: async () => {
      await pool.end()
      await rows.sql.unsafe(`drop owned by ${role}; drop role ${role}`)
      await rows.stop()
    },
  }
}

let clients = 0

/** Sends a body from an address, by default one that no other request has. */
export async function sendTo(
  app: Hono,
  body: string,
  { client = aClient(), headers = {} }: { client?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } }
  return await toAnswer(await app.request('/graphql', init, { incoming: { socket: { remoteAddress: client } } }))
}

/** An address that no other request has. */
export function aClient(): string {
  clients += 1
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`
}

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  }
}

/** The codes of an answer's errors. */
export function codesOf({ body }: Answer): string[] {
  return (body.errors ?? []).map((error: Answer['body']) => error.extensions.code)
}
