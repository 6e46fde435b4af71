import pg from 'pg'
import type { Logger } from 'pino'
import { hasOptionalTls } from '../settings/pg-tls.ts'
import type { GraphqlSettings } from './config.ts'
import { describeFailure } from './failure.ts'
import { limits } from './limits.ts'

/**
 * Maximum time to open a connection, milliseconds. This time is shorter than the time limit of a request, so the client
 * gets an error that names the cause.
 */
const CONNECT_MS = 1_500
/**
 * Maximum time to wait for the database's answer to a statement, milliseconds. The database itself ends a statement one
 * second earlier. If there is no answer even then, the connection is lost.
 */
const SILENT_MS = limits.statementMs + 1_000
const IDLE_MS = 30_000
/**
 * Options in the database URL that describe the connection. `openReaderPool` removes all other options from the URL,
 * because they could replace the pool's own settings.
 */
const CONNECTION_OPTIONS = /^(ssl|host$|port$|uselibpqcompat$)/

/**
 * Opens a connection pool with the read-only database login. The pool connects at the first query, and reconnects after
 * a lost connection.
 *
 * The pool sends its settings, such as the time limit of a statement, when it opens a connection. Every statement
 * therefore runs with these settings.
 */
export function openReaderPool(
  { READER_DATABASE_URL, MARKET_SCHEMA }: Pick<GraphqlSettings, 'READER_DATABASE_URL' | 'MARKET_SCHEMA'>,
  log: Logger,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withConnectionOptionsOnly(READER_DATABASE_URL),
    ...(hasOptionalTls() && { ssl: false }),
    max: limits.executing,
    application_name: 'task-market-graphql',
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.statementMs,
    query_timeout: SILENT_MS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    options: toOptions({
      search_path: MARKET_SCHEMA,
      default_transaction_read_only: 'on',
      // Compiling a statement and starting workers cost more than these statements.
      jit: 'off',
      max_parallel_workers_per_gather: '0',
    }),
  })
  const logLoss = (error: Error) => log.warn({ failure: describeFailure(error) }, 'database connection lost')
  // An idle connection that ends emits this event; without a listener the process would end.
  pool.on('error', logLoss)
  // A connection in use emits the same event. Its statement fails, and the failure is logged.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function toOptions(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

function withConnectionOptionsOnly(text: string): string {
  const url = new URL(text)
  for (const name of Array.from(url.searchParams.keys())) {
    if (!CONNECTION_OPTIONS.test(name)) url.searchParams.delete(name)
  }
  return url.href
}
