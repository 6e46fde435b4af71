import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { createAnalytics } from '../../api/analytics/analytics.ts'
import { createFileHasher } from '../../api/artifacts/hashing/file-hasher.ts'
import { openStorage } from '../../api/artifacts/storage/open-storage.ts'
import { createSignedUrls } from '../../api/artifacts/storage/signed-urls.ts'
import { createUploadSemaphore } from '../../api/artifacts/upload-semaphore.ts'
import { readConfig } from '../../api/config.ts'
import { makeAnalytics } from '../../api/db/analytics/make-analytics.ts'
import { connectDatabase, type Database, MARKET_SCHEMA } from '../../api/db/client.ts'
import { migrate } from '../../api/db/migrate.ts'
import type { Deps } from '../../api/deps.ts'
import { createEventHub } from '../../api/events/event-hub.ts'
import { nameServers } from '../../api/events/webhooks/post-message.ts'
import { createWebhooks } from '../../api/events/webhooks/webhooks.ts'
import { openPublishedExports } from '../../api/exports/published-exports.ts'
import { createFailpoint } from '../../api/failpoint.ts'
import { openLegal } from '../../api/features/legal/open-legal.ts'
import { createDetailTags } from '../../api/features/tasks/detail-tags.ts'
import { openTaskFragments } from '../../api/features/tasks/list/task-fragments.ts'
import { createQueueReader } from '../../api/features/tasks/worklists/read-action-queue.ts'
import { toStoredCondition } from '../../api/features/webhooks/webhook-filters.ts'
import { createLongPolls } from '../../api/http/long-polls.ts'
import { createPasswordHasher } from '../../api/identity/password-hasher.ts'
import { createIntentSteps } from '../../api/observability/intent-steps.ts'
import { createLogger } from '../../api/observability/logger.ts'
import { createMetrics } from '../../api/observability/metrics.ts'
import { createObservability } from '../../api/observability/observability.ts'
import { openPublicReads } from '../../api/read-model/replicas/open-public-reads.ts'
import { watchRowChanges } from '../../api/read-model/row-changes.ts'
import { watchIndexedHead } from '../../api/read-model/watch-indexed-head.ts'
import { openRelayers } from '../../api/relayer/signers/open-relayers.ts'
import { readRelayerRunway } from '../../api/relayer/transactions/read-relayer-runway.ts'
import { readRelayerStates } from '../../api/relayer/transactions/read-relayer-states.ts'
import { createRelayerPort, createRelayerServices } from '../../api/relayer/transactions/relayer-services.ts'
import { type App, createApp } from '../../api/server/app.ts'
import { createLegalCheck } from '../../api/writes/legal-acceptance.ts'
import { createWriteServices } from '../../api/writes/write-services.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { openQuotas, packConstants } from '../../scripts/stack/open-quotas.ts'
import { curators } from './curator.ts'
import { aFakeChain, type FakeChain } from './fake-chain.ts'
import { fastScrypt } from './fast-scrypt.ts'
import { createMarketTables } from './market-tables.ts'
import { START } from './rows/insert-row.ts'
import { createSeeder, type Seeder } from './rows/seeder.ts'
import { createTestDatabase, ensureTemplate } from './test-database.ts'

/** The service on rows of its own database, and a chain whose time the test sets. */
export interface TestApi {
  app: App
  deps: Deps
  sql: Database
  seed: Seeder
  chain: FakeChain
  /** GETs a path below the service's root and parses the JSON it answers. */
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>
  stop: () => Promise<void>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
}

/**
 * Starts it; `environment` overrides settings and constants, `logTo` gets the log's lines. The chain stands at `START`.
 * @param server as in `createTestDatabase`
 */
export async function startTestApi(
  environment: Record<string, string> = {},
  logTo?: DestinationStream,
  server?: string,
): Promise<TestApi> {
  const template = await ensureTemplate('api_rows', buildTables, server)
  const database = await createTestDatabase(template, server)
  const directory = await mkdtemp(join(tmpdir(), 'task-market-artifacts-'))
  const config = readConfig(
    packConstants({
      DATABASE_URL: database.url,
      RPC_URL: 'http://127.0.0.1:1',
      RELAYER_KEYS: `0x${'1'.repeat(64)}`,
      URL_SIGNING_SECRET: 'a secret of the tests, long enough',
      ARTIFACT_DIR: directory,
      STORAGE_RESERVE_BYTES: '0',
      // The answer is what the stages decide, however slow the machine is.
      WRITE_GRACE_MS: '50000',
      // Longer than a session of the lowest priority takes to start on a busy machine.
      SQL_QUERY_MS: '40000',
      LOG_LEVEL: 'silent',
      ...openQuotas,
      ...curators,
      ...environment,
    }),
  )
  const log = createLogger({ config, ...(logTo !== undefined && { destination: logTo }) })
  const metrics = createMetrics()
  const onNotice = createIntentSteps({ log, metrics })
  const sql = connectDatabase({ url: database.url, max: 4, onNotice })
  const chain = aFakeChain(START)
  const publicReads = openPublicReads({ primary: sql, config, log, metrics })
  const rowChanges = watchRowChanges(sql)
  const legal = await openLegal({ sql, config, log })
  const relayer = createRelayerServices(await openRelayers(config), config)
  const writes = createWriteServices(sql, createRelayerPort(relayer, chain), createLegalCheck(legal, config))
  const links = createSignedUrls({
    secret: config.URL_SIGNING_SECRET,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    artifactBaseUrl: config.ARTIFACT_BASE_URL,
  })
  const storage = openStorage(config, links)
  const exports = openPublishedExports({
    directory: config.EXPORTS_DIR,
    url: config.EXPORTS_URL,
    publicBaseUrl: config.PUBLIC_BASE_URL,
  })
  const deps: Deps = {
    config,
    log,
    legal,
    sql,
    chain,
    deployment: {
      chainId: localNetwork.chainId,
      name: localNetwork.name,
      local: true,
      market: `0x${'a1'.repeat(20)}`,
      forwarder: `0x${'b2'.repeat(20)}`,
      usdc: localNetwork.usdc.address.toLowerCase() as `0x${string}`,
      usdcDomain: { name: localNetwork.usdc.name, version: localNetwork.usdc.version },
      multicall3: '0xca11bde05977b3631167028862be2a173976ca11',
      identityRegistry: `0x${'c3'.repeat(20)}`,
      identityRegistrar: `0x${'a9'.repeat(20)}`,
      reputationRegistry: `0x${'d4'.repeat(20)}`,
    },
    storage: storage.objects,
    links,
    hasher: createFileHasher(),
    uploadSemaphore: createUploadSemaphore(),
    writes,
    relayer,
    reach: createFailpoint(config.FAILPOINT),
    indexedHead: watchIndexedHead(sql),
    events: createEventHub({ sql, log, chain, readQueue: createQueueReader({ sql, chain, config }) }),
    webhooks: createWebhooks({
      sql,
      log,
      chain,
      config,
      network: nameServers,
      isLocal: true,
      toCondition: toStoredCondition,
      metrics,
    }),
    chainGate: { isOpen: () => true, tryOpen: async () => {} },
    end: () => {},
    rowChanges,
    detailTags: createDetailTags({ sql, publicReads, rowChanges, chain }),
    longPolls: createLongPolls(),
    publicReads,
    taskFragments: openTaskFragments(publicReads, { digest: '' }),
    analytics: createAnalytics({
      readerUrl: config.READER_DATABASE_URL,
      schema: MARKET_SCHEMA,
      deadlineMs: config.SQL_QUERY_MS,
      metrics,
    }),
    exports,
    passwords: createPasswordHasher(fastScrypt),
    observe: createObservability({
      isLocal: true,
      config,
      sql,
      chain,
      readRelayers: () => readRelayerStates(sql, chain, relayer),
      readRunways: async () => readRelayerRunway(sql, await relayer.balances.read(chain)),
      readNodes: () => [],
      probeStorage: storage.probe,
      readExportAge: exports.age,
      metrics,
    }),
  }
  const app = createApp(deps)
  return {
    app,
    deps,
    sql,
    chain,
    seed: createSeeder(sql),
    get: async (path, headers = {}) => toAnswer(await app.request(path, { headers })),
    post: async (path, body, headers = {}) =>
      toAnswer(
        await app.request(path, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'Content-Type': 'application/json', ...headers },
        }),
      ),
    stop: async () => {
      await deps.writes.stop()
      await deps.hasher.stop()
      await deps.webhooks.stop()
      await deps.events.stop()
      await deps.analytics.stop()
      await deps.publicReads.stop()
      await sql.end()
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

/** The tables of both schemas, as in a running deployment. */
async function buildTables(url: string): Promise<void> {
  const sql = connectDatabase({ url, max: 1 })
  try {
    await sql`create schema market`
    await sql`set search_path to market`
    await createMarketTables(sql)
    await migrate(sql)
    await makeAnalytics(sql)
  } finally {
    await sql.end()
  }
}
