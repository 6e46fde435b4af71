import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { createAdaptorServer } from '@hono/node-server'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { escapeHidden } from '../api/text/escape-hidden.ts'
import { createRedact } from '../api/text/redact.ts'
import { createMetricsServer } from '../metrics/metrics-listener.ts'
import { readChain } from '../protocol/rules/deployment-file.ts'
import { refuseStart, warnOfUnknownNames } from '../settings/refuse-start.ts'
import { checkSetting, describeListenError } from '../settings/start-problems.ts'
import { createGraphqlApp } from './app.ts'
import { checkReader } from './check-reader.ts'
import { type GraphqlSettings, readGraphqlSettings } from './config.ts'
import { describeFailure } from './failure.ts'
import { createGraphqlMetrics } from './graphql-metrics.ts'
import { limits } from './limits.ts'
import { openReaderPool } from './reader-pool.ts'

/** Maximum time in which the headers of a request must arrive, milliseconds. */
const HEADERS_TIMEOUT_MS = 5_000
/** Maximum time in which a request with its body must arrive, milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000
/** Interval at which the server checks HEADERS_TIMEOUT_MS and REQUEST_TIMEOUT_MS, milliseconds. */
const TIMEOUT_CHECK_MS = 1_000
/** Maximum number of open client connections. The server closes a further connection at once. */
const MAX_CONNECTIONS = 256
/**
 * Time that running requests get at shutdown to be answered, milliseconds. Connections that are still open afterwards
 * are closed, even if a body is still arriving.
 */
const ANSWER_MS = limits.requestMs + 500
/**
 * Maximum duration of the shutdown, milliseconds. A statement that the database does not answer fails after 3 s
 * (reader-pool.ts), and this time limit leaves room for that.
 */
const SHUTDOWN_MS = ANSWER_MS + 4_000

/**
 * Entry point of the GraphQL process. Reads the settings, and creates the connection pool, the application and the
 * listener. At shutdown, closes them in reverse order.
 */
const settings = readSettingsOrEnd()
warnOfUnknownNames('graphql')
const redact = createRedact([])
const log = pino(
  { level: settings.LOG_LEVEL, hooks: { streamWrite: (line) => escapeHidden(redact(line)) } },
  pino.destination({ sync: true }),
)
try {
  await run(settings, log)
} catch (error) {
  refuseStart('graphql', error)
}

function readSettingsOrEnd(): GraphqlSettings {
  try {
    return readGraphqlSettings(process.env)
  } catch (error) {
    return refuseStart('graphql', error)
  }
}

async function run(settings: GraphqlSettings, log: Logger): Promise<void> {
  const pool = openReaderPool(settings, log)
  const chain = await checkSetting('DEPLOYMENT_FILE', () =>
    readChain(JSON.parse(readFileSync(settings.DEPLOYMENT_FILE, 'utf8'))),
  )
  await checkReader(pool, log)
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics = createGraphqlMetrics(registry, pool)
  const scrape = () => registry.metrics()
  const { GRAPHQL_METRICS_PORT: metricsPort } = settings
  const app = createGraphqlApp({ settings, chain, pool, log, metrics, ...(metricsPort === undefined && { scrape }) })
  const metricsServer = metricsPort === undefined ? null : createMetricsServer(scrape)
  metricsServer?.once('error', (error) => {
    refuseStart('graphql', describeListenError(error, { host: 'METRICS_HOST', port: 'GRAPHQL_METRICS_PORT' }))
  })
  metricsServer?.listen(metricsPort, settings.METRICS_HOST)
  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: settings.GRAPHQL_HOST,
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
  }) as Server
  server.maxConnections = MAX_CONNECTIONS
  server.once('error', (error) => {
    refuseStart('graphql', describeListenError(error, { host: 'GRAPHQL_HOST', port: 'GRAPHQL_PORT' }))
  })
  // One line of JSON tells a launcher that the server listens.
  server.once('listening', () => {
    const { port, address } = server.address() as AddressInfo
    log.info({ port, host: address }, 'listening')
  })
  server.listen(settings.GRAPHQL_PORT, settings.GRAPHQL_HOST)

  closeWithGrace({ delay: SHUTDOWN_MS, logger: false }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ failure: describeFailure(err) }, 'an unexpected error ends the process')
    log.info({ signal }, 'ending')
    const serverClose = promisify(server.close.bind(server))()
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), ANSWER_MS).unref()
    await serverClose
    metricsServer?.close()
    metricsServer?.closeAllConnections()
    await pool.end()
    log.info('ended')
  })
}
