import { join } from 'node:path'
import { apiNodeOptions } from './api-node-options.mjs'
import { type Child, startChild, waitUntilReady } from './child.ts'
import { repositoryRoot } from './paths.ts'

export interface ApiOptions {
  port: number
  databaseUrl: string
  rpcUrl: string
  /** JSON file with the contract addresses. */
  deploymentFile: string
  /** Private keys that pay the gas, one nonce lane each. */
  relayerKeys: string[]
  artifactDirectory: string
  /** At least 32 characters. */
  urlSigningSecret: string
  logFile: string
  /** More settings of api/config.ts, by name. */
  environment?: Record<string, string>
}

export interface Api {
  url: string
  port: number
  child: Child
  stop(): Promise<void>
}

/**
 * Starts the service as a process of its own and waits until `GET /api/health` answers 200.
 * @throws with the end of its log when it does not come up
 */
export async function startApi(options: ApiOptions): Promise<Api> {
  const url = `http://127.0.0.1:${options.port}`
  const child = await startChild({
    name: 'api',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', ...apiNodeOptions, join(repositoryRoot, 'api', 'main.ts')],
    cwd: repositoryRoot,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(options.port),
      PUBLIC_BASE_URL: url,
      DATABASE_URL: options.databaseUrl,
      RPC_URL: options.rpcUrl,
      DEPLOYMENT_FILE: options.deploymentFile,
      RELAYER_KEYS: options.relayerKeys.join(','),
      ARTIFACT_DIR: options.artifactDirectory,
      URL_SIGNING_SECRET: options.urlSigningSecret,
      ...options.environment,
    },
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
  })
  try {
    await waitUntilReady(child, () => isHealthy(url), { timeoutMilliseconds: 30_000, intervalMilliseconds: 50 })
  } catch (error) {
    await child.stop()
    throw error
  }
  return { url, port: options.port, child, stop: child.stop }
}

async function isHealthy(url: string): Promise<true | null> {
  try {
    const response = await fetch(`${url}/api/health`)
    await response.arrayBuffer()
    return response.ok ? true : null
  } catch {
    return null
  }
}
