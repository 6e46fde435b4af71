import { join } from 'node:path'
import { startChild, waitUntilReady } from '../../../ops/process/child.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import { startGraphql } from '../../../scripts/stack/graphql-process.ts'
import { graphqlNodeOptions } from '../../../scripts/stack/node-options.mjs'
import { startRowStack } from './row-stack.ts'

export interface RowServer {
  databaseUrl: string
  url: string
}

export interface ReadServers {
  /** Where the Postgres binaries come from. */
  postgres: string
  /** By number of tasks: the database, and a service on it. */
  sizes: Map<number, RowServer>
  /** Ponder's own GraphQL over the largest. */
  ponderUrl: string
  /** GraphQL over the largest. */
  graphqlUrl: string
  /** The bare server over the largest. */
  bareUrl: string
  /** Mines a block of this time, Unix seconds. */
  mine(time: number): Promise<void>
  stop(): Promise<void>
}

/** Fills one database for each size, and starts a service on each, and both GraphQL and the bare server on the largest. */
export async function startReadServers(sizes: readonly number[], say: (line: string) => void): Promise<ReadServers> {
  const stack = await startRowStack(say)
  const { directory } = stack
  try {
    const started = new Map<number, RowServer>()
    for (const size of sizes) {
      const databaseUrl = await stack.createRows({ tasks: size })
      started.set(size, { databaseUrl, url: await stack.startService(`api-${size}`, databaseUrl) })
    }
    const { databaseUrl = '', url = '' } = started.get(Math.max(...sizes)) ?? {}
    // The login is the owner's: rights cost nothing, and the rows have no other here.
    const graphql = await startGraphql({
      port: await findFreePort(),
      deploymentFile: stack.deploymentFile,
      readerDatabaseUrl: databaseUrl,
      logFile: join(directory, 'graphql.log'),
      environment: { GRAPHQL_REQUESTS_PER_MINUTE: '1000000000', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' },
    })
    stack.beforeStop(graphql.stop)
    const startScript = async (name: string, script: string, ...more: string[]) => {
      const port = await findFreePort()
      const args = [...graphqlNodeOptions, '--disable-warning=ExperimentalWarning']
      args.push(join(import.meta.dirname, script), databaseUrl, String(port), ...more)
      const { stop } = await startServer({ name, port, directory, readyPath: '/', args })
      stack.beforeStop(stop)
      return `http://127.0.0.1:${port}/`
    }
    const ponderUrl = await startScript('ponder', 'ponder-graphql.ts')
    const bareUrl = await startScript('bare', 'bare-server.ts', `${url}/api/tasks`)
    return {
      postgres: stack.postgres,
      sizes: started,
      graphqlUrl: `${graphql.url}/graphql`,
      ponderUrl,
      bareUrl,
      mine: stack.mine,
      stop: stack.stop,
    }
  } catch (error) {
    await stack.stop()
    throw error
  }
}

/** Tasks beside the agents of `startAgentServers`. */
const TASKS_BESIDE_AGENTS = 1000

/** Fills one database for each number of agents, and starts a service on each. */
export async function startAgentServers(
  sizes: readonly number[],
  say: (line: string) => void,
): Promise<Pick<ReadServers, 'postgres' | 'sizes' | 'stop'>> {
  const stack = await startRowStack(say)
  try {
    const started = new Map<number, RowServer>()
    for (const agents of sizes) {
      const databaseUrl = await stack.createRows({ tasks: TASKS_BESIDE_AGENTS, agents })
      started.set(agents, { databaseUrl, url: await stack.startService(`api-agents-${agents}`, databaseUrl) })
    }
    return { postgres: stack.postgres, sizes: started, stop: stack.stop }
  } catch (error) {
    await stack.stop()
    throw error
  }
}

interface ServerOptions {
  name: string
  port: number
  directory: string
  readyPath: string
  args: string[]
}

/** Starts a script as a server of its own process, and waits until it answers. */
export async function startServer({ name, port, directory, readyPath, args }: ServerOptions) {
  const child = await startChild({
    name,
    args,
    command: process.execPath,
    cwd: repositoryRoot,
    stopSignal: 'SIGINT' as const,
    logFile: join(directory, `${name}.log`),
    stopTimeoutMilliseconds: 6000,
  })
  const answers = async () => {
    const response = await fetch(`http://127.0.0.1:${port}${readyPath}`).catch(() => null)
    await response?.arrayBuffer()
    return response?.ok ? true : null
  }
  try {
    await waitUntilReady(child, answers, { timeoutMilliseconds: 60_000, intervalMilliseconds: 50 })
  } catch (error) {
    await child.stop()
    throw error
  }
  return { stop: () => child.stop() }
}
