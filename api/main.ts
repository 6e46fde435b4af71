import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { collectDefaultMetrics } from 'prom-client'
import { createMetricsServer } from '../metrics/metrics-listener.ts'
import { isHeadStale } from '../protocol/windows.ts'
import { SettingsError } from '../settings/read-settings.ts'
import { refuseStart, warnOfUnknownNames } from '../settings/refuse-start.ts'
import { checkSetting, describeListenError, describeRefusal } from '../settings/start-problems.ts'
import { createWeb } from '../web/create-web.ts'
import { createAnalytics } from './analytics/analytics.ts'
import { createFileHasher } from './artifacts/hashing/file-hasher.ts'
import { checkStorage } from './artifacts/storage/check-storage.ts'
import { openStorage } from './artifacts/storage/open-storage.ts'
import { createSignedUrls } from './artifacts/storage/signed-urls.ts'
import { createUploadSemaphore } from './artifacts/upload-semaphore.ts'
import type { ReadHead } from './chain/chain.ts'
import { createChainGate, guardedBy } from './chain/chain-gate.ts'
import { checkChain } from './chain/check-chain.ts'
import { type Deployment, readDeployment } from './chain/deployment.ts'
import { isLocalNode } from './chain/is-local-node.ts'
import { createChain } from './chain/viem-chain.ts'
import { type Config, findLocalSettings, readConfig } from './config.ts'
import { makeAnalytics } from './db/analytics/make-analytics.ts'
import { checkPostgres } from './db/check-postgres.ts'
import { connectDatabase, MARKET_SCHEMA } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { requireOwnDatabase } from './db/own-database.ts'
import type { Deps } from './deps.ts'
import { createEventHub } from './events/event-hub.ts'
import { nameServers } from './events/webhooks/post-message.ts'
import { createWebhooks } from './events/webhooks/webhooks.ts'
import { openPublishedExports, warnOfDirectory } from './exports/published-exports.ts'
import { createFailpoint } from './failpoint.ts'
import { identityMint } from './features/devices/mint/mint-identity.ts'
import { openLegal } from './features/legal/open-legal.ts'
import { createDetailTags } from './features/tasks/detail-tags.ts'
import { openTaskFragments } from './features/tasks/list/task-fragments.ts'
import { digestView } from './features/tasks/list/view-digest.ts'
import { createQueueReader } from './features/tasks/worklists/read-action-queue.ts'
import { toStoredCondition } from './features/webhooks/webhook-filters.ts'
import { createLongPolls } from './http/long-polls.ts'
import { createPasswordHasher } from './identity/password-hasher.ts'
import { hashStoredTags } from './intents/tag-texts.queries.ts'
import { keeperWrites } from './keeper/settle-rewards.ts'
import { createNodeSet } from './nodes/node-set.ts'
import { createIntentSteps } from './observability/intent-steps.ts'
import { logNodeChange } from './observability/log-node-change.ts'
import { createLogger } from './observability/logger.ts'
import { createMetrics } from './observability/metrics.ts'
import { createObservability } from './observability/observability.ts'
import { observeChain } from './observability/observe-chain.ts'
import { openTracing } from './observability/tracing/open-tracing.ts'
import { findRowsFault } from './read-model/indexed-head.queries.ts'
import { openPublicReads } from './read-model/replicas/open-public-reads.ts'
import { watchRowChanges } from './read-model/row-changes.ts'
import { watchIndexedHead } from './read-model/watch-indexed-head.ts'
import { logSignerChange } from './relayer/signers/log-signer-change.ts'
import { openRelayers } from './relayer/signers/open-relayers.ts'
import { readRelayerRunway } from './relayer/transactions/read-relayer-runway.ts'
import { readRelayerStates } from './relayer/transactions/read-relayer-states.ts'
import { createRelayerPort, createRelayerServices } from './relayer/transactions/relayer-services.ts'
import { createApp } from './server/app.ts'
import { createHttpServer } from './server/http-server.ts'
import type { OpenPages } from './server/mount-pages.ts'
import { writes } from './server/routes.ts'
import { shutDown } from './shutdown.ts'
import { startLoops } from './start-loops.ts'
import { createLegalCheck } from './writes/legal-acceptance.ts'
import { createWriteServices } from './writes/write-services.ts'

/**
 * The time limits for receiving a request, in milliseconds. `HEADERS_TIMEOUT_MS`: for the headers. `BODY_TIMEOUT_MS`:
 * for the body.
 */
const HEADERS_TIMEOUT_MS = 10_000
const BODY_TIMEOUT_MS = 120_000
/**
 * The time in milliseconds for which an idle connection remains open. It is longer than the 60 seconds of a usual
 * proxy, so that the proxy closes the connection first. If the server closed it first, a request that arrives at that
 * moment would fail at the client, which cannot know whether the request was processed.
 */
const KEEP_ALIVE_MS = 75_000
/**
 * The time in milliseconds that a shutdown gets beyond `SHUTDOWN_DRAIN_MS` and `SHUTDOWN_MS` before the process is
 * ended by force.
 */
const LAST_GRACE_MS = 500

/**
 * Starts the service: reads the settings, creates all parts, starts the loops and the HTTP server, and ends them on a
 * signal.
 */
const config = readSettingsOrEnd()
const log = createLogger({ config })
warnOfUnknownNames('api')
try {
  await run(config, log)
} catch (error) {
  log.fatal({ program: 'api', ...describeRefusal(error), err: error }, 'start refused')
  process.exit(1)
}

function readSettingsOrEnd(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return refuseStart('api', error)
  }
}

async function run(settings: Config, log: Logger): Promise<void> {
  let end: Deps['end'] = () => {}
  const refusal = new Promise<Error>((resolve) => {
    end = resolve
  })
  const deps = { ...(await createDeps(settings, log)), end }
  await Promise.all([
    deps.writes.start(),
    deps.publicReads.start(),
    deps.indexedHead.start(),
    deps.events.start(),
    deps.rowChanges.start(),
  ])
  const fault = findRowsFault(deps.indexedHead.current())
  if (fault !== null) throw new Error(fault)
  const loops = await startLoops(deps, [...writes, identityMint, ...keeperWrites])
  const hasDemoWallets = deps.deployment.local && (await isLocalNode(settings.RPC_URLS[0]))
  const server = createHttpServer(createApp(deps, openPages(deps, hasDemoWallets)), {
    hostname: settings.HOST,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    // Uploads take longer than other bodies and have their own limits; this one is for bodies that no handler reads.
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    requestTimeout: settings.UPLOAD_LIMIT_MS + BODY_TIMEOUT_MS,
    log,
  })
  // One line of JSON that a launcher can wait for.
  announce(server, log, { message: 'listening', host: 'HOST', port: 'PORT' })
  server.listen(settings.PORT, settings.HOST)
  const otherServers = settings.METRICS_PORT === undefined ? [] : [createMetricsServer(deps.observe.scrape)]
  for (const other of otherServers) {
    announce(other, log, { message: 'metrics listening', host: 'METRICS_HOST', port: 'METRICS_PORT' })
    other.listen(settings.METRICS_PORT, settings.METRICS_HOST)
  }

  const delay = settings.SHUTDOWN_DRAIN_MS + settings.SHUTDOWN_MS + LAST_GRACE_MS
  const { close } = closeWithGrace({ delay, logger: false }, async ({ signal, err, manual }) => {
    if (err !== undefined) log.fatal({ err }, 'an unexpected error; the process ends')
    log.info({ signal }, 'ending')
    await shutDown({ deps, loops, server, otherServers })
    if (manual === true) process.exit(1)
  })
  refusal.then((reason) => {
    log.fatal({ err: reason }, 'the service cannot continue')
    if (!deps.observe.readiness.isDraining()) close()
  })
}

/** Creates the pages for people, which read their data from the service's own routes. */
function openPages(
  { config: settings, deployment, log }: Pick<Deps, 'config' | 'deployment' | 'log'>,
  hasDemoWallets: boolean,
): OpenPages {
  const { PUBLIC_BASE_URL, SERVICE_NAME, EXPLORER_URL, PUBLIC_RPC_URL, ARTIFACT_BASE_URL, STORAGE, S3_ENDPOINT } =
    settings
  // Uploads go to the service's public address, under any name of this host that opened the pages.
  const storage = [PUBLIC_BASE_URL, ARTIFACT_BASE_URL, STORAGE === 's3' ? S3_ENDPOINT : undefined]
  return (fetch) =>
    createWeb({
      fetch,
      publicUrl: PUBLIC_BASE_URL,
      serviceName: SERVICE_NAME,
      explorerUrl: EXPLORER_URL,
      connectOrigins: storage.flatMap((url) => (url === undefined ? [] : [new URL(url).origin])),
      isLocal: deployment.local,
      noteFailure: (err, c) => log.error({ err, requestId: c.get('requestId') }, 'request failed'),
      scripts: {
        deployment: toPageDeployment(deployment),
        apiUrl: null,
        rpcUrl: PUBLIC_RPC_URL,
        explorerUrl: EXPLORER_URL ?? null,
        hasDemoWallets,
      },
    })
}

/**
 * Returns the data of a deployment that the scripts of the pages need in order to sign payments and to call the
 * contracts.
 */
function toPageDeployment({
  chainId,
  name,
  local,
  market,
  forwarder,
  usdc,
  usdcDomain,
  identityRegistry,
  identityRegistrar,
  bound,
}: Deployment) {
  const contracts = { market, forwarder, usdc, identityRegistry, identityRegistrar }
  return { chainId, name, local, ...contracts, usdcDomain, ...(bound === true && { bound }) }
}

function announce(
  server: Server,
  log: Logger,
  { message, ...settings }: { message: string; host: string; port: string },
): void {
  server.once('listening', () => {
    const { port, address } = server.address() as AddressInfo
    log.info({ port, host: address }, message)
  })
  server.once('error', (error) => {
    const refusal = describeRefusal(describeListenError(error, settings))
    log.fatal({ program: 'api', ...refusal, err: error }, 'start refused')
    process.exit(1)
  })
}

async function createDeps(settings: Config, log: Logger): Promise<Omit<Deps, 'end'>> {
  const deployment = await checkSetting('DEPLOYMENT_FILE', () => readDeployment(settings.DEPLOYMENT_FILE))
  const localSettings = findLocalSettings(settings, deployment)
  if (localSettings.length > 0) throw new SettingsError(localSettings)
  const metrics = createMetrics()
  collectDefaultMetrics({ register: metrics.registry })
  const tracing = await openTracing(settings)
  await checkSetting('DATABASE_URL', () => checkPostgres(settings.DATABASE_URL))
  const sql = connectDatabase({
    url: settings.DATABASE_URL,
    onNotice: createIntentSteps({ log, metrics, tracing }),
  })
  const appliedMigrations = await checkSetting('DATABASE_URL', () => migrate(sql))
  if (appliedMigrations.length > 0) log.info({ applied: appliedMigrations }, 'database migrated')
  const leftOut = await makeAnalytics(sql)
  if (leftOut.length > 0) log.warn({ leftOut }, 'views left out')
  await hashStoredTags(sql)
  const publicReads = openPublicReads({ primary: sql, config: settings, log, metrics })
  const rowChanges = watchRowChanges(sql)
  const legal = await checkSetting('LEGAL_DIRECTORY', () => openLegal({ sql, config: settings, log }))
  const relayer = createRelayerServices(await openRelayers(settings, logSignerChange(log)), settings)
  await checkSetting('DATABASE_URL', () => requireOwnDatabase(sql, deployment))
  const links = createSignedUrls({
    secret: settings.URL_SIGNING_SECRET,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    artifactBaseUrl: settings.ARTIFACT_BASE_URL,
  })
  const storage = openStorage(settings, links)
  await checkSetting('STORAGE', () => checkStorage(storage, log))
  await warnOfDirectory(settings.EXPORTS_DIR, log)
  const exports = openPublishedExports({
    directory: settings.EXPORTS_DIR,
    url: settings.EXPORTS_URL,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
  })
  const indexedHead = watchIndexedHead(sql)
  const findIndexed = (): ReadHead | null => {
    const head = indexedHead.current()
    return head === null ? null : { number: head.blockNumber, timestamp: head.blockTimestamp }
  }
  const nodes = createNodeSet({
    urls: settings.RPC_URLS,
    chainId: deployment.chainId,
    isLocal: deployment.local,
    onChange: logNodeChange(log),
  })
  const observedChain = observeChain(createChain({ nodes, deployment, findIndexed, isStale: isHeadStale }), metrics)
  const chainGate = createChainGate({
    log,
    check: () => checkChain({ nodes, deployment, serviceName: settings.SERVICE_NAME, relayers: relayer.accounts }),
  })
  await chainGate.tryOpen()
  const chain = guardedBy(chainGate, observedChain)
  return {
    config: settings,
    log,
    sql,
    deployment,
    chain,
    chainGate,
    storage: storage.objects,
    links,
    hasher: createFileHasher(),
    uploadSemaphore: createUploadSemaphore(),
    legal,
    writes: createWriteServices(sql, createRelayerPort(relayer, chain), createLegalCheck(legal, settings)),
    relayer,
    reach: createFailpoint(settings.FAILPOINT),
    indexedHead,
    events: createEventHub({ sql, log, chain, readQueue: createQueueReader({ sql, chain, config: settings }) }),
    webhooks: createWebhooks({
      sql,
      log,
      chain,
      config: settings,
      network: nameServers,
      isLocal: deployment.local,
      toCondition: toStoredCondition,
      metrics,
    }),
    rowChanges,
    detailTags: createDetailTags({ sql, publicReads, rowChanges, chain }),
    longPolls: createLongPolls(),
    publicReads,
    taskFragments: openTaskFragments(publicReads, { digest: await digestView(settings) }),
    analytics: createAnalytics({
      readerUrl: settings.READER_DATABASE_URL,
      schema: MARKET_SCHEMA,
      deadlineMs: settings.SQL_QUERY_MS,
      metrics,
    }),
    exports,
    passwords: createPasswordHasher(),
    observe: createObservability({
      isLocal: deployment.local,
      config: settings,
      sql,
      chain,
      readRelayers: () => readRelayerStates(sql, chain, relayer),
      readRunways: async () => readRelayerRunway(sql, await relayer.balances.read(chain)),
      readNodes: nodes.states,
      probeStorage: storage.probe,
      readExportAge: exports.age,
      metrics,
      tracing,
    }),
  }
}
