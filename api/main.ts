import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { checkChain } from './chain/check-chain.ts'
import { createChain } from './chain/viem-chain.ts'
import { type Config, readConfig } from './config.ts'
import { connectDatabase } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { readDeployment } from './deployment.ts'
import type { Deps } from './deps.ts'
import { createHttpServer } from './http/server.ts'
import { openLegal } from './features/legal/open-legal.ts'
import { startLoops } from './loops/start-loops.ts'
import { writes } from './routes.ts'
import { createLocalDiskStore } from './storage/local-disk.ts'
import { createLegalGate } from './writes/legal-gate.ts'
import { createWriteServices } from './writes/write-services.ts'

/** How long a shutdown may take before the process ends in any case, milliseconds. */
const SHUTDOWN_MS = 10_000
/** A client that sends slower than this is a burden, milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 120_000

/** The composition root: settings, adapters, app, loops; and all of it backwards when the process is asked to end. */
const config = readConfig(process.env)
const log = pino({
  level: config.LOG_LEVEL,
  redact: ['req.headers', 'headers', '*.privateKey', '*.signature', '*.apiToken', '*.password'],
})
try {
  await run(config)
} catch (error) {
  log.fatal({ err: error }, 'the service could not start')
  process.exit(1)
}

async function run(settings: Config): Promise<void> {
  const deps = await createDeps(settings)
  await deps.writes.start()
  const loops = await startLoops(deps, writes)
  const server = createHttpServer(createApp(deps), {
    hostname: settings.HOST,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    log,
  })
  server.listen(settings.PORT, settings.HOST)
  server.once('listening', () => {
    // One line of JSON that a launcher can wait for.
    log.info({ port: (server.address() as AddressInfo).port, host: settings.HOST }, 'listening')
  })
  server.once('error', (error) => {
    log.fatal({ err: error }, 'the service could not listen')
    process.exit(1)
  })

  closeWithGrace({ delay: SHUTDOWN_MS, logger: false }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ err }, 'something went wrong that nobody expected')
    log.info({ signal }, 'ending')
    const closed = promisify(server.close.bind(server))()
    server.closeIdleConnections()
    // Requests that wait for an outcome answer now; their writes go on, here until the loops end and then elsewhere.
    await deps.writes.stop()
    await closed
    await loops.stop()
    await deps.sql.end({ timeout: 5 })
    log.info('ended')
  })
}

async function createDeps(settings: Config): Promise<Deps> {
  const deployment = await readDeployment(settings.DEPLOYMENT_FILE)
  const sql = connectDatabase({ url: settings.DATABASE_URL, marketSchema: settings.MARKET_SCHEMA })
  const applied = await migrate(sql)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const legal = await openLegal({ sql, config: settings, log })
  const services = createWriteServices(sql, settings, createLegalGate(legal, settings))
  await checkChain({
    rpcUrl: settings.RPC_URL,
    deployment,
    serviceName: settings.SERVICE_NAME,
    relayers: services.relayers.map(({ address }) => address),
  })
  return {
    config: settings,
    log,
    sql,
    deployment,
    chain: createChain({ rpcUrl: settings.RPC_URL, deployment }),
    artifacts: createLocalDiskStore({
      directory: settings.ARTIFACT_DIR,
      secret: settings.URL_SIGNING_SECRET,
      publicBaseUrl: settings.PUBLIC_BASE_URL,
    }),
    legal,
    writes: services,
  }
}
