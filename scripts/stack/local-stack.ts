import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startIndexer } from '../../ops/indexer/start-indexer.ts'
import { localDirectory } from '../../ops/process/paths.ts'
import { endLeftovers } from '../../ops/process/process-registry.ts'
import type { Anvil } from '../chain/anvil.ts'
import { type ChainInstance, databaseNameOf, directoryOf, saveInstance } from '../chain/chain-instance.ts'
import { deploymentKey } from '../chain/deploy-contracts.ts'
import { devAccount, devRelayers } from '../chain/dev-accounts.ts'
import { mineTogether } from '../chain/mine-together.ts'
import { type OpenChain, openChain, recordHead } from '../chain/open-chain.ts'
import { analystLogin, type DatabaseLogins, exporterLogin, loginUrl, openLogins } from '../postgres/database-logins.ts'
import { createDatabase } from '../postgres/postgres-databases.ts'
import { seedDemo } from '../seed/seed-demo.ts'
import { seedVaults } from '../seed/seed-vaults.ts'
import { withdrawBonus } from '../seed/withdraw-bonus.ts'
import type { AnalystsStandby } from './analysts-standby.ts'
import { type Api, startApi } from './api-process.ts'
import { startGraphql } from './graphql-process.ts'
import type { HttpProcess } from './http-process.ts'
import { openKeptPorts } from './kept-ports.ts'
import type { Launch, Running } from './launch.ts'
import { takeLauncherLock } from './launcher-lock.ts'
import { openQuotas } from './open-quotas.ts'
import type { Progress } from './progress.ts'
import { runScript } from './run-script.ts'
import {
  type DatabaseOptions,
  describeLimitation,
  describeServer,
  findForeignReplica,
  openServer,
  openStandby,
} from './stack-database.ts'
import { describeStack, markStackDown, toText, writeStackFile } from './stack-file.ts'

export interface LocalStackOptions extends Omit<DatabaseOptions, 'ports'> {
  /** True to create demo tasks on a new chain. */
  seed: boolean
  /** URL of an RPC endpoint of Base to copy; absent: a fresh chain. */
  forkUrl: string | undefined
}

const ports = openKeptPorts(localDirectory)
const logs = join(localDirectory, 'logs')

/**
 * Creates the launch of the whole stack on this machine: contracts, Postgres, chain, indexer, service and demo tasks.
 */
export function createLocalStack(options: LocalStackOptions): Launch {
  const undo: (() => void | Promise<void>)[] = []
  return {
    say: options.progress.say,
    start: (context) => startAndCatchUp(options, { ...context, undo }),
    stop: async () => {
      for (const step of undo.splice(0).reverse()) {
        try {
          await step()
        } catch (error) {
          // The other processes must still be stopped, in order.
          options.progress.say(error instanceof Error ? error.message : String(error))
        }
      }
    },
  }
}

interface Context {
  throwIfStopping(): void
  isStopping(): boolean
  undo: (() => void | Promise<void>)[]
}

async function startAndCatchUp(
  options: LocalStackOptions,
  { throwIfStopping, isStopping, undo }: Context,
): Promise<Running> {
  const { progress } = options
  undo.push(takeLauncherLock())
  // The file of a crashed run still says that it is up.
  markStackDown()
  const leftovers = await endLeftovers()
  if (leftovers.length > 0) progress.say(`ended what an earlier run had left: ${leftovers.join(', ')}`)

  // The compiler's check runs while Postgres makes its files.
  const [, database] = await startAll(undo, buildContracts(progress), openServer({ ...options, ports }))
  throwIfStopping()

  const chain = await openChainOn(database.url, options)
  const { anvil, deploymentFile } = chain
  // Path for users, for any chain.
  copyFileSync(deploymentFile, join(localDirectory, 'deployment.json'))
  const { instance } = chain
  undo.push(anvil.stop)
  undo.push(async () => {
    if (anvil.child.findEnd() === null) await recordHead(anvil, instance)
  })
  progress.say('token bonus: 10 tokens for one USDC, in full for wallets of any age (elsewhere from 8 weeks on)')
  throwIfStopping()

  const databaseUrl = await createDatabase(database.url, databaseNameOf(instance.id))
  const logins = await openLogins(databaseUrl, { isOwnServer: options.databaseUrl === undefined })
  if (logins.limitation !== null) progress.say(describeLimitation(logins.limitation))
  throwIfStopping()
  const indexerMetricsPort = await ports.take('indexerMetrics')
  const { readerUrl } = logins
  const openingStandby = openStandby(
    { ...options, ports },
    { databaseUrl, dataDir: database.dataDir, isWanted: () => !isStopping() },
  )
  // Both start at once: most of their start is the loading of their code, and each waits for the parts that it needs.
  const [indexer, standby, api, graphql] = await startAll(
    undo,
    progress.step(
      async () =>
        startIndexer({
          rpcUrls: [anvil.url],
          databaseUrl: logins.indexerUrl,
          deploymentFile,
          port: await ports.take('indexer'),
          metrics: { host: '127.0.0.1', port: indexerMetricsPort },
          env: { ...process.env, LOCAL_CHAIN: '1' },
          logFile: join(logs, 'ponder.log'),
          log: progress.say,
        }),
      ({ port }) => `indexer ready on http://127.0.0.1:${port}`,
    ),
    openingStandby,
    progress.step(
      async () => startService({ logins, standby: await openingStandby, anvil, deploymentFile, instance }),
      ({ url }) => `API ready on ${url}`,
    ),
    readerUrl === null
      ? Promise.resolve(null)
      : progress.step(
          () => startAnalysts(readerUrl, deploymentFile),
          ({ url }) => `GraphQL ready on ${url}/graphql`,
        ),
  )
  throwIfStopping()

  if (options.seed && !instance.isSeeded) {
    await seed(chain, { apiUrl: api.url, progress })
    instance.isSeeded = true
    saveInstance(instance)
  }

  const exporterUrl = standby?.at(loginUrl(databaseUrl, exporterLogin)) ?? null
  const stack = describeStack({
    isContinued: chain.isContinued,
    apiUrl: api.url,
    graphqlUrl: graphql === null ? null : `${graphql.url}/graphql`,
    indexerPort: indexer.port,
    indexerMetricsPort,
    standbyMetricsPort: standby?.metricsPort ?? null,
    rpcUrl: anvil.url,
    databaseUrl,
    analystUrl: standby?.at(loginUrl(databaseUrl, analystLogin)) ?? null,
    exporterUrl,
    exportsDirectory: exportsOf(instance),
    deployment: instance.deployment,
    settings: {
      api: api.settings,
      relayer: api.settings,
      indexer: { DATABASE_URL: logins.indexerUrl, RPC_URL: anvil.url, DEPLOYMENT_FILE: deploymentFile },
      ...(readerUrl !== null && { graphql: { READER_DATABASE_URL: readerUrl, DEPLOYMENT_FILE: deploymentFile } }),
      ...(exporterUrl !== null && { export: { EXPORTER_DATABASE_URL: exporterUrl, RPC_URL: anvil.url } }),
    },
  })
  writeStackFile(stack)
  undo.push(() => markStackDown())
  console.log(toText(stack))
  progress.say(`ready in ${progress.elapsedSeconds().toFixed(1)} s; Ctrl-C stops everything`)
  const analysts = graphql === null ? [] : [graphql.child]
  return { children: [...database.children, anvil.child, api.child, ...analysts], failures: [indexer.failed] }
}

/**
 * Waits for all started parts. If one does not start, the others can then be stopped. @throws the error of the first
 * part that did not start
 */
async function startAll<Parts extends readonly (Stoppable | null)[]>(
  undo: Context['undo'],
  ...starts: { [Place in keyof Parts]: Promise<Parts[Place]> }
): Promise<Parts> {
  for (const outcome of await Promise.allSettled(starts)) {
    if (outcome.status === 'fulfilled' && outcome.value !== null) undo.push(outcome.value.stop)
  }
  return (await Promise.all(starts)) as unknown as Parts
}

interface Stoppable {
  stop(): Promise<void>
}

async function buildContracts(progress: Progress): Promise<null> {
  await progress.step(
    () => runScript('scripts/contracts/build.ts'),
    (output) => output.trim().replace(/ \([\d.]+ s\)$/, ''),
  )
  return null
}

/**
 * Creates the demo tasks. On a continued chain, an interrupted earlier creation is completed as far as possible:
 * deadlines of its tasks may have passed.
 */
async function seed(
  { anvil, instance, isContinued }: OpenChain,
  parts: { apiUrl: string; progress: Progress },
): Promise<void> {
  const { apiUrl, progress } = parts
  try {
    await progress.step(
      async () => {
        const options = { baseUrl: apiUrl, name: instance.id }
        const { deployment } = instance
        const makeAll = () =>
          Promise.all([seedDemo(options), seedVaults({ ...options, rpcUrl: anvil.url, deployment })])
        const counts = await mineTogether(anvil, makeAll)
        return counts.reduce((sum, count) => sum + count, 0)
      },
      (count) => `${count} demo tasks made`,
    )
    const { bonusHook } = instance.deployment
    if (bonusHook !== undefined) await withdrawBonus(anvil.url, bonusHook, 'alice')
  } catch (error) {
    if (!isContinued) throw error
    progress.say(`not all demo tasks could be finished: ${error instanceof Error ? error.message : error}`)
  }
}

function openChainOn(
  serverUrl: string,
  { forkUrl, databaseUrl, reset, progress }: LocalStackOptions,
): Promise<OpenChain> {
  return progress.step(
    async () =>
      openChain({
        serverUrl,
        forkUrl,
        reset,
        say: progress.say,
        // Our own server may move to another port and is still the same.
        server: databaseUrl === undefined ? 'own' : describeServer(databaseUrl),
        deploymentKey: deploymentKey(),
        isForked: forkUrl !== undefined,
        port: await ports.take('anvil'),
      }),
    ({ anvil, isContinued, instance }) =>
      `anvil ready on ${anvil.url}: ${isContinued ? `the last chain goes on from block ${instance.head.number}` : 'a new chain, contracts deployed'}`,
  )
}

async function startService(parts: {
  logins: DatabaseLogins
  standby: AnalystsStandby | null
  anvil: Anvil
  deploymentFile: string
  instance: ChainInstance
}): Promise<Api> {
  const { logins, standby, anvil, deploymentFile, instance } = parts
  const { readerUrl } = logins
  return startApi({
    databaseUrl: logins.serviceUrl,
    deploymentFile,
    rpcUrl: anvil.url,
    port: await ports.take('api'),
    relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
    artifactDirectory: join(directoryOf(instance.id), 'artifacts'),
    urlSigningSecret: instance.urlSigningSecret,
    logFile: join(logs, 'api.log'),
    environment: {
      ...(readerUrl === null
        ? {}
        : { READER_DATABASE_URL: standby?.at(readerUrl) ?? findForeignReplica() ?? readerUrl }),
      EXPORTS_DIR: exportsOf(instance),
      ENVIRONMENT: 'local',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
      POLLING_INTERVAL_MS: '100',
      CURATORS: devAccount('curator').account.address,
      KEEPER_INTERVAL_MS: '1000',
      ...openQuotas,
    },
  })
}

/** Creates and returns the folder for exports of a chain. Each chain has its own folder. */
function exportsOf({ id }: ChainInstance): string {
  const directory = join(directoryOf(id), 'exports')
  mkdirSync(directory, { recursive: true })
  return directory
}

async function startAnalysts(readerDatabaseUrl: string, deploymentFile: string): Promise<HttpProcess> {
  return startGraphql({
    port: await ports.take('graphql'),
    deploymentFile,
    readerDatabaseUrl,
    logFile: join(logs, 'graphql.log'),
    environment: { GRAPHQL_REQUESTS_PER_MINUTE: '60000', LOG_LEVEL: process.env.LOG_LEVEL ?? 'info' },
  })
}
