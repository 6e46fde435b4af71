import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Address, createPublicClient, type PublicClient } from 'viem'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import type { Deployment } from '../../../scripts/contracts/deploy.ts'
import { rpcTransport } from '../../../scripts/contracts/rpc-transport.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { openQuotas } from '../../../scripts/stack/open-quotas.ts'
import { restoreDeployedChain } from '../../support/test-chain.ts'
import { startPostgresProxy } from '../inject/postgres-proxy.ts'
import { type FailingPostgres, startFailingPostgres } from '../inject/postgres-server.ts'
import { type RpcProxy, startRpcProxy } from '../inject/rpc-proxy.ts'
import { createEvidenceLog, type EvidenceLog } from './evidence-log.ts'
import { createReplica, type Replica } from './replica.ts'

/** A whole stack, which runs many fault cases. */
export interface Environment {
  anvil: Anvil
  postgres: FailingPostgres
  /** Connected to the node itself, without a proxy. */
  client: PublicClient
  deployment: Deployment
  deploymentFile: string
  /** Of the server itself, without a proxy. */
  databaseUrl: string
  /** The same database with the login of the indexer. */
  indexerUrl: string
  sql: postgres.Sql
  readonly indexer: Indexer
  /** Starts an indexer after the one before has ended; one that uses `nodes`, or the node itself (the default). */
  restartIndexer(behindNodes?: boolean): Promise<void>
  /** Indexes the chain again beside the indexer that runs, which ends when the new rows are served. */
  indexAgain(): Promise<void>
  /** Three proxies to the node, which fault cases use as several nodes. */
  nodes: readonly RpcProxy[]
  readonly isIndexerBehindNodes: boolean
  /** Two; in a fault case of one process the second is down. */
  replicas: readonly [Replica, Replica]
  /** What has happened in this environment. */
  log: EvidenceLog
  /** Lower case; each has one nonce sequence. A fault case adds those that it lets relay. */
  relayers: Address[]
  /** Head of the chain before the first write. */
  firstBlock: bigint
  /** Storage of its processes. */
  artifactDirectory: string
  /** Files and logs of its processes; `stop` deletes it. */
  directory: string
  /** Ends every process of it. */
  stop(): Promise<void>
}

/** Quotas that no fault case reaches; short intervals. */
const defaultSettings = {
  ...openQuotas,
  POLLING_INTERVAL_MS: '50',
  RESEND_AFTER_MS: '500',
  REPLACE_AFTER_MS: '3000',
  FILE_SWEEP_MS: '100',
}

/**
 * Starts anvil with the contracts, Postgres and Ponder; the API processes are down. A failed start ends what it started.
 */
export async function startEnvironment(settings: Record<string, string> = {}): Promise<Environment> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return Object.assign(await bringUp(settings, undo), { stop })
  } catch (error) {
    await stop()
    throw error
  }
}

async function bringUp(settings: Record<string, string>, undo: (() => Promise<unknown>)[]) {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-faults-'))
  undo.push(async () => rmSync(directory, { recursive: true, force: true }))
  const [anvil, server] = await Promise.all([startAnvil(), startFailingPostgres()])
  undo.push(anvil.stop, server.stop)
  const restored = await restoreDeployedChain(anvil, directory)
  const { deploymentFile } = restored
  const deployment = lowerCased(restored.deployment)
  const databaseUrl = await server.createDatabase('faults')
  const sql = postgres(databaseUrl, { max: 4, onnotice: () => {} })
  undo.push(() => sql.end({ timeout: 1 }))
  const { indexerUrl, serviceUrl } = await openLogins(databaseUrl, { isOwnServer: true })
  const nodes = await Promise.all([1, 2, 3].map(() => startRpcProxy({ upstream: anvil.url })))
  undo.push(() => Promise.all(nodes.map((node) => node.close())))
  let isIndexerBehindNodes = false
  const launchIndexer = (again = false) =>
    startIndexer({
      again,
      rpcUrls: isIndexerBehindNodes ? nodes.map(({ url }) => url) : [anvil.url],
      databaseUrl: indexerUrl,
      deploymentFile,
      env: { ...process.env, LOCAL_CHAIN: '1' },
    })
  let indexer = await launchIndexer()
  undo.push(() => indexer.stop())

  const artifactDirectory = join(directory, 'artifacts')
  mkdirSync(artifactDirectory)
  const client = createPublicClient({
    transport: rpcTransport(anvil.url),
    cacheTime: 0,
    pollingInterval: 20,
  }) as PublicClient
  const environment = {
    anvil,
    postgres: server,
    client,
    deployment,
    deploymentFile,
    databaseUrl,
    indexerUrl,
    sql,
    get indexer() {
      return indexer
    },
    restartIndexer: async (behindNodes = false) => {
      isIndexerBehindNodes = behindNodes
      indexer = await launchIndexer()
    },
    indexAgain: async () => {
      const before = indexer
      indexer = await launchIndexer(true)
      await before.stop()
    },
    nodes,
    get isIndexerBehindNodes() {
      return isIndexerBehindNodes
    },
    log: createEvidenceLog(),
    relayers: devRelayers().map(({ account }) => account.address.toLowerCase() as Address),
    firstBlock: await client.getBlockNumber(),
    directory,
    artifactDirectory,
  }
  const replicas: Replica[] = []
  for (const index of [0, 1]) {
    const rpc = await startRpcProxy({ upstream: anvil.url })
    const access = await startPostgresProxy({ upstream: serviceUrl })
    undo.push(rpc.close, access.close)
    const replica = await createReplica({
      index,
      rpc,
      postgres: access,
      deploymentFile,
      artifactDirectory,
      logDirectory: join(directory, 'logs'),
      settings: { ...defaultSettings, ...settings },
      onUnexpectedExit: (end) =>
        environment.log.unexpectedExits.push({
          faultCase: environment.log.faultCases.at(-1)?.name ?? 'no fault case',
          replica: index,
          end,
        }),
    })
    undo.push(replica.kill)
    replicas.push(replica)
  }
  const [first, second] = replicas
  if (first === undefined || second === undefined) throw new Error('an environment has two API processes')
  return Object.assign(environment, { replicas: [first, second] as const })
}

function lowerCased(deployment: Deployment): Deployment {
  const lower = (_: string, value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
  return JSON.parse(JSON.stringify(deployment), lower)
}
