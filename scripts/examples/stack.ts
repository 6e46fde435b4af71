import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Address } from 'viem'
import { startIndexer } from '../../ops/indexer/start-indexer.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { type Anvil, startAnvil } from '../chain/anvil.ts'
import { deployContracts } from '../chain/deploy-contracts.ts'
import { devAccount, devRelayers } from '../chain/dev-accounts.ts'
import { mineEvery } from '../chain/mine-every.ts'
import type { Deployment } from '../contracts/deploy.ts'
import { openLogins } from '../postgres/database-logins.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { atServer, startStandbyServer } from '../postgres/standby-server.ts'
import { startApi } from '../stack/api-process.ts'
import { openQuotas } from '../stack/open-quotas.ts'
import { runScript } from '../stack/run-script.ts'

/** Base of the URLs in recorded answers. It is the default URL of `npm start`, whatever port the service uses. */
export const publicUrl = 'http://127.0.0.1:3000'

/** Interval for polling the result of a comparison with the contracts, milliseconds. */
const POLL_MS = 100

/** A whole stack with empty tables, separate from the stack of `npm start`. */
export interface ExampleStack {
  /** URL of the service. */
  baseUrl: string
  anvil: Anvil
  deployment: Deployment
  /**
   * Imports a withdrawal address without a recovery code, in the way in which an operator does this by hand
   * (docs/build/wallet.md).
   */
  importWithdrawalAddress(wallet: Address, address: Address): Promise<void>
  /** Makes the service compare amounts in the database with the contracts. Resolves when the comparison is complete. */
  compareBooks(): Promise<void>
  /** Stops all processes and removes their files. */
  stop(): Promise<void>
}

/**
 * Starts Postgres, a chain with the contracts, the indexer and the service. If one of them does not start, stops the
 * others.
 */
export async function startExampleStack(): Promise<ExampleStack> {
  const undo: (() => void | Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return { ...(await startAndCatchUp(undo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAndCatchUp(undo: (() => void | Promise<void>)[]): Promise<Omit<ExampleStack, 'stop'>> {
  await runScript('scripts/contracts/build.ts')
  const directory = mkdtempSync(join(tmpdir(), 'task-market-examples-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const postgres = await startPostgres({ streams: true })
  undo.push(postgres.stop)
  const logins = await openLogins(await postgres.createDatabase('examples'), { isOwnServer: true })
  const { readerUrl } = logins
  if (readerUrl === null) throw new Error(`SQL cannot be recorded: ${logins.limitation}`)
  const standby = await startStandbyServer(postgres.url)
  undo.push(standby.stop)

  const anvil = await startAnvil()
  undo.push(anvil.stop)
  undo.push(mineEvery(anvil, 1_000))
  const { deployment, deploymentFile } = await deployContracts(anvil, { forked: false, directory, hasBonus: true })

  const indexer = await startIndexer({
    rpcUrls: [anvil.url],
    databaseUrl: logins.indexerUrl,
    deploymentFile,
    env: { ...process.env, LOCAL_CHAIN: '1' },
  })
  undo.push(indexer.stop)

  const artifactDirectory = join(directory, 'artifacts')
  mkdirSync(artifactDirectory)
  const api = await startApi({
    port: await findFreePort(),
    databaseUrl: logins.serviceUrl,
    rpcUrl: anvil.url,
    deploymentFile,
    artifactDirectory,
    relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
    urlSigningSecret: 'a secret of recorded examples, long enough',
    logFile: join(directory, 'api.log'),
    environment: {
      ...openQuotas,
      ENVIRONMENT: 'local',
      POLLING_INTERVAL_MS: '50',
      PUBLIC_BASE_URL: publicUrl,
      READER_DATABASE_URL: atServer(readerUrl, standby.url),
      CURATORS: devAccount('curator').account.address,
      // Settlements are installed by the recording.
      KEEPER_INTERVAL_MS: '3600000',
    },
  })
  undo.push(api.stop)
  return {
    baseUrl: api.url,
    anvil,
    deployment,
    importWithdrawalAddress: (wallet, address) => importWithdrawalAddress(logins.serviceUrl, wallet, address),
    compareBooks: () => compareBooks(logins.serviceUrl),
  }
}

async function compareBooks(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`update service.audits set state = null, due_at = now() where part = 'sums'`
  while ((await sql`select from service.audits where part = 'sums' and state is null`).length > 0) await delay(POLL_MS)
  await sql.end()
}

async function importWithdrawalAddress(databaseUrl: string, wallet: Address, address: Address): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [owner, target] = [wallet.toLowerCase(), address.toLowerCase()]
  await sql`insert into service.withdrawal_addresses (wallet, address) values (${owner}, ${target})`
  await sql.end()
}
