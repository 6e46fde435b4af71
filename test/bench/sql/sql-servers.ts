import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '../../../scripts/stack/anvil.ts'
import { startApi } from '../../../scripts/stack/api-process.ts'
import { openLogins } from '../../../scripts/stack/database-logins.ts'
import { devRelayers } from '../../../scripts/stack/dev-accounts.ts'
import { findFreePort } from '../../../scripts/stack/ports.ts'
import { startPostgres } from '../../../scripts/stack/postgres.ts'
import { restoreDeployedChain } from '../../support/test-chain.ts'
import { unlimited } from '../../support/unlimited.ts'
import { loadRows, NOW } from '../reads/rows.ts'

export interface SqlServers {
  /** Where the Postgres binaries come from. */
  postgres: string
  /** The service. It takes `X-Forwarded-For` for the client. */
  url: string
  /** The reader's login. */
  readerUrl: string
  stop(): Promise<void>
}

/** A database with so many tasks, its three logins, and a service on it. */
export async function startSqlServers(tasks: number, say: (line: string) => void): Promise<SqlServers> {
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
    await anvil.request('evm_setNextBlockTimestamp', [NOW])
    await anvil.request('evm_mine')
    const databaseUrl = await postgres.createDatabase('rows')
    await loadRows(databaseUrl, tasks)
    say(`${tasks} tasks loaded`)
    const { serviceUrl, readerUrl } = await openLogins(databaseUrl, { isOwnServer: true })
    if (readerUrl === null) throw new Error('a server of our own has a reader')
    const artifactDirectory = join(directory, 'artifacts')
    mkdirSync(artifactDirectory)
    const api = await startApi({
      port: await findFreePort(),
      databaseUrl: serviceUrl,
      rpcUrl: anvil.url,
      deploymentFile,
      artifactDirectory,
      relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
      urlSigningSecret: 'a secret of the benchmark, long enough',
      logFile: join(directory, 'api.log'),
      environment: {
        ...unlimited,
        LOG_LEVEL: 'warn',
        TRUSTED_PROXIES: '127.0.0.1',
        READER_DATABASE_URL: readerUrl,
      },
    })
    undo.push(api.stop)
    return { postgres: postgres.origin, url: api.url, readerUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
