import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { type HttpProcess, startHttpProcess } from './http-process.ts'
import { apiNodeOptions } from './node-options.mjs'
import { packConstants } from './open-quotas.ts'

export interface ApiOptions {
  port: number
  databaseUrl: string
  rpcUrl: string
  /** Path of the JSON file with the contract addresses. */
  deploymentFile: string
  /** Private keys of the relayers, which pay the gas. Each relayer has its own sequence of nonces. */
  relayerKeys: string[]
  artifactDirectory: string
  /** Secret with which the service signs links. At least 32 characters. */
  urlSigningSecret: string
  logFile: string
  /** Root folder of the release that is started; default: this repository. */
  root?: string
  /** Further settings of settings/table.ts and constants of api/constants.ts, by name. */
  environment?: Record<string, string>
}

/** A running service. Its `url` has no path. */
export interface Api extends HttpProcess {
  /** Settings of the service, by name. */
  settings: Record<string, string>
}

/**
 * Starts the service as a separate process, and waits until `GET /api/health` answers with status 200.
 * @throws with the end of the service's log if the service does not start
 */
export async function startApi({ root = repositoryRoot, ...options }: ApiOptions): Promise<Api> {
  const settings = packConstants({
    HOST: '127.0.0.1',
    PORT: String(options.port),
    PUBLIC_BASE_URL: `http://127.0.0.1:${options.port}`,
    DATABASE_URL: options.databaseUrl,
    RPC_URL: options.rpcUrl,
    DEPLOYMENT_FILE: options.deploymentFile,
    RELAYER_KEYS: options.relayerKeys.join(','),
    ARTIFACT_DIR: options.artifactDirectory,
    URL_SIGNING_SECRET: options.urlSigningSecret,
    // Gas of a local chain costs nothing.
    FOREIGN_WEI_PER_DAY: String(10n ** 18n),
    ...options.environment,
  })
  const startedProcess = await startHttpProcess({
    name: 'api',
    root,
    args: [...apiNodeOptions, join(root, 'api', 'main.ts')],
    port: options.port,
    healthPath: '/api/health',
    environment: settings,
    logFile: options.logFile,
  })
  return { ...startedProcess, settings }
}
