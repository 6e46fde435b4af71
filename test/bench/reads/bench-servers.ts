import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '../../../scripts/stack/anvil.ts'
import { startApi } from '../../../scripts/stack/api-process.ts'
import { startChild, waitUntilReady } from '../../../scripts/stack/child.ts'
import { devRelayers } from '../../../scripts/stack/dev-accounts.ts'
import { startGraphql } from '../../../scripts/stack/graphql-process.ts'
import { repositoryRoot } from '../../../scripts/stack/paths.ts'
import { findFreePort } from '../../../scripts/stack/ports.ts'
import { startPostgres } from '../../../scripts/stack/postgres.ts'
import { restoreDeployedChain } from '../../support/test-chain.ts'
import { unlimited } from '../../support/unlimited.ts'
import { loadRows, NOW } from './rows.ts'

export interface ReadServers {
  /** Where the Postgres binaries come from. */
  postgres: string
  /** By number of tasks: the database, and a service on it. */
  sizes: Map<number, { databaseUrl: string; url: string }>
  /** GraphQL over the largest. */
  graphqlUrl: string
  /** The bare server over the largest. */
  bareUrl: string
  stop(): Promise<void>
}

/** Fills one database for each size, and starts a service on each, and GraphQL and the bare server on the largest. */
export async function startReadServers(sizes: readonly number[], say: (line: string) => void): Promise<ReadServers> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const directory = mkdtempSync(join(tmpdir(), 'task-market-bench-'))
    undo.push(async () => rmSync(directory, { recursive: true, force: true }))
    const postgres = await startPostgres()
    undo.push(postgres.stop)
    const anvil = await startAnvil()
    undo.push(anvil.stop)
    const { deploymentFile } = await restoreDeployedChain(anvil, directory)
    await standAt(anvil, NOW)

    const started = new Map<number, { databaseUrl: string; url: string }>()
    for (const size of sizes) {
      const databaseUrl = await postgres.createDatabase(`rows_${size}`)
      const before = Date.now()
      await loadRows(databaseUrl, size)
      say(`${size} tasks loaded in ${Math.round((Date.now() - before) / 1000)} s`)
      const artifactDirectory = join(directory, `artifacts-${size}`)
      mkdirSync(artifactDirectory)
      const api = await startApi({
        ...{ port: await findFreePort(), databaseUrl, rpcUrl: anvil.url, deploymentFile, artifactDirectory },
        relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
        urlSigningSecret: 'a secret of the benchmark, long enough',
        logFile: join(directory, `api-${size}.log`),
        environment: { ...unlimited, LOG_LEVEL: 'warn' },
      })
      undo.push(api.stop)
      started.set(size, { databaseUrl, url: api.url })
    }
    const { databaseUrl = '' } = started.get(Math.max(...sizes)) ?? {}
    // The login is the owner's: rights cost nothing, and the rows have no other here.
    const graphql = await startGraphql({
      port: await findFreePort(),
      readerDatabaseUrl: databaseUrl,
      logFile: join(directory, 'graphql.log'),
      environment: { GRAPHQL_REQUESTS_PER_MINUTE: '1000000000', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' },
    })
    undo.push(graphql.stop)
    const barePort = await findFreePort()
    const bare = await startServer({
      ...{ name: 'bare', port: barePort, directory, readyPath: '/' },
      args: [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'bare-server.ts'),
        databaseUrl,
        String(barePort),
      ],
    })
    undo.push(bare.stop)
    return {
      postgres: postgres.origin,
      sizes: started,
      graphqlUrl: `${graphql.url}/graphql`,
      bareUrl: `http://127.0.0.1:${barePort}/`,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The chain's head is of this time, and nothing moves it. */
async function standAt({ request }: Anvil, time: number): Promise<void> {
  await request('evm_setNextBlockTimestamp', [time])
  await request('evm_mine')
}

interface ServerOptions {
  name: string
  port: number
  directory: string
  readyPath: string
  args: string[]
}

async function startServer({ name, port, directory, readyPath, args }: ServerOptions) {
  const child = await startChild({
    ...{ name, args, command: process.execPath, cwd: repositoryRoot, stopSignal: 'SIGINT' as const },
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
