import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { type Anvil, startAnvil } from '../../scripts/chain/anvil.ts'
import { devRelayers } from '../../scripts/chain/dev-accounts.ts'
import { startPostgres } from '../../scripts/postgres/postgres.ts'
import { createDatabase, withConnection } from '../../scripts/postgres/postgres-databases.ts'
import { type StandbyServer, startStandbyServer } from '../../scripts/postgres/standby-server.ts'
import type { Cleanups } from '../support/cleanups.ts'
import { restoreDeployedChain } from '../support/test-chain.ts'

/** What the programs of a market need of others: a chain with the contracts, a database, a standby, secrets, and directories. */
export interface Market {
  anvil: Anvil
  deploymentFile: string
  standby: StandbyServer
  /** Its files are named as in docs/operate/deploy.md. */
  secrets: string
  /** A directory of the user that programs run as. */
  directoryOf(name: string, uid: number): string
  logFileOf(name: string): string
}

/** Prepares a market with the scripts that an operator runs. */
export async function prepareMarket(cleanups: Cleanups): Promise<Market> {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-image-'))
  cleanups.defer(() => rmSync(directory, { recursive: true, force: true }))
  chmodSync(directory, 0o755)
  const anvil = await startAnvil()
  cleanups.defer(anvil.stop)
  const { deploymentFile } = await restoreDeployedChain(anvil, directory)
  const primary = await startPostgres({ streams: true })
  cleanups.defer(primary.stop)
  await createDatabase(primary.url, 'market')
  const standby = await startStandbyServer(primary.url)
  cleanups.defer(standby.stop)
  const { host, hostname, port, password } = new URL(primary.url)
  const secrets = join(directory, 'secrets')
  runScript('ops/database/create-secrets.sh', [secrets, host, new URL(standby.url).host])
  put(join(secrets, 'rpc-url'), anvil.url)
  put(
    join(secrets, 'relayer-keys'),
    devRelayers()
      .map(({ privateKey }) => privateKey)
      .join(','),
  )
  runScript('ops/database/prepare.sh', [secrets], {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: 'postgres',
    PGPASSWORD: decodeURIComponent(password),
  })
  await standby.replayed()
  return {
    anvil,
    deploymentFile,
    standby,
    secrets,
    directoryOf: (name, uid) => {
      const path = join(directory, name)
      mkdirSync(path, { recursive: true, mode: 0o700 })
      chownSync(path, uid, uid)
      return path
    },
    logFileOf: (name) => join(directory, `${name}.log`),
  }
}

/** How many sessions of the keeper the standby has. */
export async function countKeepers({ standby }: Market): Promise<number> {
  const [row] = await withConnection(
    standby.url,
    (sql) => sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'standby keeper'`,
  )
  return row?.count ?? 0
}

function put(path: string, content: string): void {
  writeFileSync(path, `${content}\n`)
  chmodSync(path, 0o444)
}

function runScript(script: string, args: string[], environment: Record<string, string> = {}): void {
  const { status, stdout, stderr } = spawnSync(join(repositoryRoot, script), args, {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${script} ended with ${status}:\n${stdout}${stderr}`)
}
