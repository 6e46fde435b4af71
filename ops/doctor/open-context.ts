import { isAbsolute, join } from 'node:path'
import type { Chain } from '../../api/chain/chain.ts'
import { type Deployment, readDeployment } from '../../api/chain/deployment.ts'
import { createChain } from '../../api/chain/viem-chain.ts'
import { tryReadConfig } from '../../api/config.ts'
import { connectDatabase, type Database } from '../../api/db/client.ts'
import { createNodeSet, type NodeSet } from '../../api/nodes/node-set.ts'
import { isHeadStale } from '../../protocol/windows.ts'
import { repositoryRoot } from '../process/paths.ts'
import { listSecrets, type ProgramSettings, readPrograms } from './read-programs.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The objects that all checks share, such as database clients. If this machine lacks the settings for an object, the
 * object is null.
 */
export interface DoctorContext {
  programs: ProgramSettings
  /** Settings and constants of the service; null if the service is not set up on this machine. */
  config: ReturnType<typeof tryReadConfig>['config'] | null
  /** Absolute path of the deployment file; null if no program that reads the file is set up on this machine. */
  deploymentFile: string | null
  /**
   * Reads the deployment file. Returns null if no file is set.
   * @throws Error with the name of the file
   */
  readDeployment(): Promise<Deployment | null>
  /** URLs of the chain's nodes. */
  rpcUrls: readonly string[]
  /** Opens the nodes and the chain. Returns null if no node or no deployment file is set. */
  openChain(): Promise<{ nodes: NodeSet; chain: Chain; deployment: Deployment } | null>
  /**
   * Client of the primary database with the login of the service; null if the service is not set up on this machine.
   */
  database: Database | null
  /**
   * Client of the primary database for reading rows. The client has the login of the service; if the service is not set
   * up on this machine, the client has the login of the indexer. Null if the indexer is not set up either.
   */
  rows: Database | null
  /** Returns true if the service has created its tables. */
  hasTables(): Promise<boolean>
}

/**
 * Creates the objects that the checks share. Connections are opened later, at their first use.
 * @param environmentOf returns the environment variables of a program
 */
export function openContext(environmentOf: (program: string) => Environment): {
  context: DoctorContext
  /** Secret values, which no output may contain. */
  secrets: string[]
  close(): Promise<void>
} {
  const programs = readPrograms(environmentOf)
  const { config } = tryReadConfig(environmentOf('api'))
  const service = programs.api.isSet ? config : null
  const indexer = programs.indexer.isSet ? programs.indexer.values : null
  const reading = service ?? indexer ?? (programs.graphql.isSet ? programs.graphql.values : null)
  const file = reading?.DEPLOYMENT_FILE
  const deploymentFile = file === undefined ? null : isAbsolute(file) ? file : join(repositoryRoot, file)
  const rpcUrls = service?.RPC_URLS ?? indexer?.RPC_URL ?? programs.export.values.RPC_URL ?? []

  const closers: (() => unknown)[] = []
  const connect = (url: string | undefined): Database | null => {
    if (url === undefined) return null
    const sql = connectDatabase({ url, max: 4 })
    closers.push(() => sql.end({ timeout: 1 }))
    return sql
  }
  const database = connect(service?.DATABASE_URL)
  const rows = database ?? connect(indexer?.DATABASE_URL)
  const findDeployment = once(async () => (deploymentFile === null ? null : await readDeployment(deploymentFile)))
  const context: DoctorContext = {
    programs,
    config: service,
    deploymentFile,
    readDeployment: findDeployment,
    rpcUrls,
    openChain: once(async () => {
      const deployment = await findDeployment()
      if (deployment === null || rpcUrls.length === 0) return null
      const { chainId, local: isLocal } = deployment
      const nodes = createNodeSet({ urls: rpcUrls, chainId, isLocal })
      closers.push(nodes.close)
      return {
        nodes,
        deployment,
        chain: createChain({ nodes, deployment, findIndexed: () => null, isStale: isHeadStale }),
      }
    }),
    database,
    rows,
    hasTables: once(async () => {
      if (database === null) return false
      const [row] = await database<
        { exists: boolean }[]
      >`select to_regclass('service.migrations') is not null as exists`
      return row?.exists === true
    }),
  }
  const close = async () => {
    await Promise.allSettled(closers.map((end) => end()))
  }
  return { context, secrets: listSecrets(programs, config), close }
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | null = null
  return () => {
    result ??= work()
    return result
  }
}
