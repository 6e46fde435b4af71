import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from './child.ts'
import { repositoryRoot } from './paths.ts'

export interface GraphqlOptions {
  port: number
  /** The database on the login `market_reader`. */
  readerDatabaseUrl: string
  logFile: string
  /** More settings of api/graphql/config.ts, by name. */
  environment?: Record<string, string>
}

export interface Graphql {
  /** Without a path: queries go to `/graphql`. */
  url: string
  port: number
  child: Child
  stop(): Promise<void>
}

/**
 * Starts GraphQL as a process of its own and waits until `GET /health` answers 200.
 * @throws with the end of its log when it does not come up
 */
export async function startGraphql(options: GraphqlOptions): Promise<Graphql> {
  const url = `http://127.0.0.1:${options.port}`
  const child = await startChild({
    name: 'graphql',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(repositoryRoot, 'api', 'graphql', 'main.ts')],
    cwd: repositoryRoot,
    env: {
      ...process.env,
      GRAPHQL_HOST: '127.0.0.1',
      GRAPHQL_PORT: String(options.port),
      READER_DATABASE_URL: options.readerDatabaseUrl,
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
    const response = await fetch(`${url}/health`)
    await response.arrayBuffer()
    return response.ok ? true : null
  } catch {
    return null
  }
}
