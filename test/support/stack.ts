import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, type PublicClient } from 'viem'
import { type Indexer, startIndexer } from '../../ops/indexer/start-indexer.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { type Anvil, startAnvil } from '../../scripts/chain/anvil.ts'
import { deployContracts } from '../../scripts/chain/deploy-contracts.ts'
import { devRelayers } from '../../scripts/chain/dev-accounts.ts'
import type { Deployment } from '../../scripts/contracts/deploy.ts'
import { rpcTransport } from '../../scripts/contracts/rpc-transport.ts'
import { type DatabaseLogins, openLogins } from '../../scripts/postgres/database-logins.ts'
import { startPostgres } from '../../scripts/postgres/postgres.ts'
import { atServer, type StandbyServer, startStandbyServer } from '../../scripts/postgres/standby-server.ts'
import { type Api, startApi } from '../../scripts/stack/api-process.ts'
import { openQuotas } from '../../scripts/stack/open-quotas.ts'
import { curators } from './curator.ts'
import { restoreDeployedChain } from './test-chain.ts'
import { createTestDatabase } from './test-database.ts'

export interface TestStackOptions {
  /** Run Ponder. Default true. */
  indexer?: boolean
  /** Run the service, as a process of its own. Needs the indexer. Default true. */
  api?: boolean
  /** More settings of settings/table.ts, and constants of api/constants.ts, by name. */
  apiEnvironment?: Record<string, string>
  /** The forwarder is the one of before bound payments. Default false. */
  beforeBound?: boolean
  /** A chain whose copy the stack runs on, with its own USDC and registries. Absent: a chain of its own. */
  forkUrl?: string
  /** The administrative database of the run's server; absent: the one that vitest provides to the workers. */
  postgresUrl?: string
  /** Analysts' SQL runs on a standby: the stack has a database server of its own with one. Default false: there is none. */
  hasStandby?: boolean
}

export interface TestStack {
  anvil: Anvil
  client: PublicClient
  deployment: Deployment
  deploymentFile: string
  /** The database of this stack, as the server's superuser. */
  databaseUrl: string
  /** The same database, by the logins of the processes. */
  logins: DatabaseLogins
  /** The server on which analysts' SQL runs; null when it was not requested. */
  standby: StandbyServer | null
  artifactDirectory: string
  /** Null when it was not requested. */
  indexer: Indexer | null
  /**
   * Where the service answers, without a trailing slash; stays the same when it is started again.
   * Throws when the service was not requested.
   */
  baseUrl(): string
  /** The service's process. Throws when the service was not requested. */
  api(): Api
  /** Starts the service again, after it was stopped or killed, with other settings if given. */
  restartApi(environment?: Record<string, string>): Promise<Api>
  /** Ends every process and deletes their data. */
  stop(): Promise<void>
}

/**
 * Starts a stack: a chain with the contracts and funded wallets (`devActors`), which mines each
 * transaction immediately and nothing else; a database; Ponder; the service. A failed start ends what was started.
 */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return { ...(await bringUp(options, undo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function bringUp(options: TestStackOptions, undo: (() => Promise<void>)[]): Promise<Omit<TestStack, 'stop'>> {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-stack-'))
  undo.push(async () => rmSync(directory, { recursive: true, force: true }))
  const { forkUrl, beforeBound = false } = options
  const anvil = await startAnvil(forkUrl === undefined ? {} : { forkUrl })
  undo.push(anvil.stop)
  const { deployment, deploymentFile } =
    forkUrl === undefined && !beforeBound
      ? await restoreDeployedChain(anvil, directory)
      : await deployContracts(anvil, { forked: forkUrl !== undefined, directory, hasBonus: false, beforeBound })
  const { standby, postgresUrl } =
    options.hasStandby === true ? await startServers(undo) : { standby: null, postgresUrl: options.postgresUrl }
  const database = await createTestDatabase('template1', postgresUrl)
  undo.push(database.drop)

  const logins = await openLogins(database.url, { isOwnServer: true })
  const { readerUrl } = logins
  const sqlUrl = standby === null || readerUrl === null ? undefined : atServer(readerUrl, standby.url)

  const { indexerUrl } = logins
  const indexer = options.indexer === false ? null : await startTestIndexer({ anvil, deploymentFile, indexerUrl })
  if (indexer !== null) undo.push(indexer.stop)

  const artifactDirectory = join(directory, 'artifacts')
  mkdirSync(artifactDirectory)
  const port = await findFreePort()
  let api: Api | null = null
  const restartApi = async (environment: Record<string, string> = {}) => {
    await api?.stop()
    api = await startApi({
      port,
      databaseUrl: logins.serviceUrl,
      rpcUrl: anvil.url,
      deploymentFile,
      artifactDirectory,
      relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
      urlSigningSecret: 'a secret of the tests, long enough',
      logFile: join(directory, 'api.log'),
      environment: {
        ...openQuotas,
        ...curators,
        POLLING_INTERVAL_MS: '50',
        // Settlements are made by the tests, but for those of the keeper.
        KEEPER_INTERVAL_MS: '3600000',
        ...(sqlUrl !== undefined && { READER_DATABASE_URL: sqlUrl }),
        ...options.apiEnvironment,
        ...environment,
      },
    })
    return api
  }
  undo.push(async () => api?.stop())
  if (indexer !== null && options.api !== false) await restartApi()

  const runningApi = () => {
    if (api === null) throw new Error('this stack runs no service')
    return api
  }
  return {
    anvil,
    deployment,
    deploymentFile,
    artifactDirectory,
    indexer,
    restartApi,
    logins,
    standby,
    client: createPublicClient({ transport: rpcTransport(anvil.url), cacheTime: 0, pollingInterval: 50 }),
    databaseUrl: database.url,
    baseUrl: () => runningApi().url,
    api: runningApi,
  }
}

/** A database server, and a standby of it. */
async function startServers(undo: (() => Promise<void>)[]): Promise<{ standby: StandbyServer; postgresUrl: string }> {
  const primary = await startPostgres({ streams: true })
  undo.push(primary.stop)
  const standby = await startStandbyServer(primary.url)
  undo.push(standby.stop)
  return { standby, postgresUrl: primary.url }
}

function startTestIndexer({
  anvil,
  deploymentFile,
  indexerUrl,
}: {
  anvil: Anvil
  deploymentFile: string
  indexerUrl: string
}): Promise<Indexer> {
  return startIndexer({
    rpcUrls: [anvil.url],
    databaseUrl: indexerUrl,
    deploymentFile,
    env: { ...process.env, LOCAL_CHAIN: '1' },
  })
}
