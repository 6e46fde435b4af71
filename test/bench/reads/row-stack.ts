import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../ops/process/ports.ts'
import { startAnvil } from '../../../scripts/chain/anvil.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { startPostgres } from '../../../scripts/postgres/postgres.ts'
import { startApi } from '../../../scripts/stack/api-process.ts'
import { openQuotas } from '../../../scripts/stack/open-quotas.ts'
import { restoreDeployedChain } from '../../support/test-chain.ts'
import { loadRows, NOW, type RowCounts } from './rows.ts'

/** What services on loaded rows need, without an indexer: a Postgres server, and a chain whose head stays at `NOW`. */
export interface RowStack {
  /** Where the Postgres binaries come from. */
  postgres: string
  /** For logs and files; removed at the end. */
  directory: string
  deploymentFile: string
  /** The server that standbys follow, as its superuser. */
  postgresUrl: string
  /** Creates a database with so much in it; returns its URL on the superuser's login. */
  createRows(counts: RowCounts): Promise<string>
  /** Starts a service without rate limits; returns its URL. `name` is the name of its files. */
  startService(name: string, databaseUrl: string, environment?: Record<string, string>): Promise<string>
  /** Mines a block of this time, Unix seconds. */
  mine(time: number): Promise<void>
  /** Has `step` run by `stop`, before all steps that were added earlier. */
  beforeStop(step: () => Promise<unknown>): void
  stop(): Promise<void>
}

export async function startRowStack(say: (line: string) => void): Promise<RowStack> {
  const steps: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of steps.splice(0).reverse()) await step()
  }
  try {
    const directory = mkdtempSync(join(tmpdir(), 'task-market-bench-'))
    steps.push(async () => rmSync(directory, { recursive: true, force: true }))
    const postgres = await startPostgres({ streams: true })
    steps.push(postgres.stop)
    const anvil = await startAnvil()
    steps.push(anvil.stop)
    const { deploymentFile } = await restoreDeployedChain(anvil, directory)
    const mine = async (time: number) => {
      await anvil.request('evm_setNextBlockTimestamp', [time])
      await anvil.request('evm_mine')
    }
    await mine(NOW)
    return {
      postgres: postgres.origin,
      postgresUrl: postgres.url,
      directory,
      deploymentFile,
      createRows: async (counts) => {
        const { tasks, agents } = counts
        const databaseUrl = await postgres.createDatabase(`rows_${tasks}_${agents ?? 'own'}`)
        const before = performance.now()
        await loadRows(databaseUrl, counts)
        const what = agents === undefined ? `${tasks} tasks` : `${agents} agents`
        say(`${what} loaded in ${Math.round((performance.now() - before) / 1000)} s`)
        return databaseUrl
      },
      startService: async (name, databaseUrl, environment = {}) => {
        const artifactDirectory = join(directory, `artifacts-${name}`)
        mkdirSync(artifactDirectory)
        const api = await startApi({
          port: await findFreePort(),
          databaseUrl,
          rpcUrl: anvil.url,
          deploymentFile,
          artifactDirectory,
          relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
          urlSigningSecret: 'a secret of the benchmark, long enough',
          logFile: join(directory, `${name}.log`),
          environment: { ...openQuotas, LOG_LEVEL: 'warn', ...environment },
        })
        steps.push(api.stop)
        return api.url
      },
      mine,
      beforeStop: (step) => steps.push(step),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
