import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDirectory } from '../../ops/process/paths.ts'
import { chainId } from '../chain/anvil.ts'
import { type DevAccount, devActors, devRelayers } from '../chain/dev-accounts.ts'
import type { Deployment } from '../contracts/deploy.ts'

const stackFileOf = (directory: string) => join(directory, 'stack.json')

/**
 * The content of `.local/stack.json`, which describes a running stack. All private keys in it are public: they belong
 * to the test mnemonic.
 */
export interface StackDescription {
  /** True while the stack runs. False during its start and after its end: the URLs do not answer then. */
  running: boolean
  /** Time at which the stack ended, or at which its end was discovered; null while it runs. */
  stoppedAt: string | null
  startedAt: string
  launcherPid: number
  /** True if the stack continues the chain and the tables of the run before. */
  isContinued: boolean
  chainId: number
  urls: {
    api: string
    openapi: string
    docs: string
    sql: string
    graphql: string | null
    indexer: string
    rpc: string
    /** URLs of the programs' metrics in Prometheus text format; null for a program that does not run. */
    metrics: { api: string; indexer: string; graphql: string | null; keeper: string | null }
  }
  addresses: Deployment
  databaseUrl: string
  /** URL of the standby with the login for people who analyse the data; null if there is no standby. */
  analystUrl: string | null
  /** URL of the standby with the login of `npm run export`; null if there is no standby. */
  exporterUrl: string | null
  /** Folder with the exports that the service lists. */
  exportsDirectory: string
  /** Settings of the stack's programs, by program and name. `npm run doctor` reads them. */
  settings: Record<string, Record<string, string>>
  /** Demo wallets to which the stack gave USDC. */
  accounts: { role: string; address: string; privateKey: string }[]
  /** Accounts that pay the gas of relayed writes. */
  relayers: string[]
}

export function describeStack(parts: {
  isContinued: boolean
  apiUrl: string
  graphqlUrl: string | null
  indexerPort: number
  indexerMetricsPort: number
  standbyMetricsPort: number | null
  rpcUrl: string
  deployment: Deployment
  databaseUrl: string
  analystUrl: string | null
  exporterUrl: string | null
  exportsDirectory: string
  settings: StackDescription['settings']
}): StackDescription {
  const indexer = `http://127.0.0.1:${parts.indexerPort}`
  const { apiUrl } = parts
  return {
    running: true,
    stoppedAt: null,
    startedAt: new Date().toISOString(),
    launcherPid: process.pid,
    isContinued: parts.isContinued,
    chainId,
    urls: {
      api: apiUrl,
      openapi: `${apiUrl}/openapi.json`,
      docs: `${apiUrl}/docs`,
      sql: `${apiUrl}/api/sql`,
      graphql: parts.graphqlUrl,
      indexer,
      rpc: parts.rpcUrl,
      metrics: {
        api: `${apiUrl}/metrics`,
        indexer: `http://127.0.0.1:${parts.indexerMetricsPort}/metrics`,
        graphql: parts.graphqlUrl?.replace(/graphql$/, 'metrics') ?? null,
        keeper: parts.standbyMetricsPort === null ? null : `http://127.0.0.1:${parts.standbyMetricsPort}/metrics`,
      },
    },
    addresses: parts.deployment,
    databaseUrl: parts.databaseUrl,
    // SQLAlchemy accepts no shorter scheme.
    analystUrl: parts.analystUrl?.replace(/^postgres:/, 'postgresql:') ?? null,
    exporterUrl: parts.exporterUrl,
    exportsDirectory: parts.exportsDirectory,
    settings: parts.settings,
    accounts: devActors().map(toWallet),
    relayers: devRelayers().map(({ account }) => account.address),
  }
}

export function writeStackFile(description: StackDescription, directory = localDirectory): void {
  writeFileSync(stackFileOf(directory), `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 })
}

/** Returns the description of the stack that runs in this clone; null if none runs. */
export function findStack(directory = localDirectory): StackDescription | null {
  try {
    const stack = JSON.parse(readFileSync(stackFileOf(directory), 'utf8')) as StackDescription
    return stack.running ? stack : null
  } catch {
    // No stack was up in this clone.
    return null
  }
}

/** Returns the service's URL in the stack that runs in this clone; null if none runs. */
export function findStackUrl(directory = localDirectory): string | null {
  return findStack(directory)?.urls.api ?? null
}

/** Records in `.local/stack.json` that the stack does not run. Does nothing if the file does not exist. */
export function markStackDown(directory = localDirectory): void {
  try {
    const { running, stoppedAt, ...description } = JSON.parse(readFileSync(stackFileOf(directory), 'utf8'))
    const end = running === false ? stoppedAt : new Date().toISOString()
    writeStackFile({ running: false, stoppedAt: end, ...description }, directory)
  } catch {
    // No stack was up in this clone, or the file is unreadable and the next start replaces it.
  }
}

/** Returns the text that is printed for a person when the stack is ready. */
export function toText({ urls, accounts, analystUrl }: StackDescription): string {
  return [
    '',
    `  API       ${urls.api}/api    docs ${urls.docs}    ${urls.openapi}`,
    `  Analysts  ${urls.graphql === null ? 'no SQL and no GraphQL: see above' : `${urls.sql}    ${urls.graphql}`}`,
    `  Login     ${analystUrl ?? 'no login for analysts: there is no standby'}`,
    `  Indexer   ${urls.indexer}/status`,
    `  Chain     ${urls.rpc}    id ${chainId}`,
    '  All of it, with addresses and the database: .local/stack.json',
    '',
    '  Wallets with USDC (public test keys: use them nowhere else)',
    ...accounts.map(({ role, address, privateKey }) => `    ${role.padEnd(10)} ${address}  ${privateKey}`),
    '',
    '  Try',
    `    curl ${urls.api}/api/health`,
    `    curl '${urls.api}/api/tasks?phase=active&limit=2'`,
    `    curl ${urls.sql} -H 'Content-Type: application/json' \\`,
    `      -d '{"query":"SELECT mode, status, count(*) AS tasks FROM market.task GROUP BY 1, 2"}'`,
    `    curl -X POST ${urls.api}/api/tasks -H 'Content-Type: application/json' \\`,
    '      -H "X-Service-Idempotency-Key: $(node -p \'crypto.randomUUID()\')" \\',
    `      -d '{"description":"Name a cat","reward":"2000000","duration":24,"tags":["cats"]}'    # answers 402: what to sign`,
    '',
  ].join('\n')
}

function toWallet({ role, account, privateKey }: DevAccount) {
  return { role, address: account.address, privateKey }
}
