import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveStandby } from '../../../ops/indexer/standby.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'

let chain: MarketChain
let database: TestDatabase
let logins: Awaited<ReturnType<typeof openLogins>>

beforeAll(async () => {
  chain = await openMarketChain()
  database = await createTestDatabase()
  logins = await openLogins(database.url, { isOwnServer: true })
})

afterAll(async () => {
  await database?.drop()
  await chain?.close()
})

/** The answer of a standby with these settings instead of right ones. */
async function readyWith(changes: { rpcUrl?: string; deployment?: object; databaseUrl?: string }) {
  const { deploymentFile } = chain
  const file = join(deploymentFile, '..', 'standby.json')
  const { deployment = {} } = changes
  writeFileSync(file, JSON.stringify('contracts' in deployment ? deployment : { ...chain.deployment, ...deployment }))
  const sql = postgres(changes.databaseUrl ?? logins.indexerUrl, { max: 1, onnotice: () => {} })
  const port = await findFreePort()
  const stop = await serveStandby(
    { rpcUrl: changes.rpcUrl ?? chain.url, deploymentFile: file, sql },
    { host: '127.0.0.1', port, status: 'standby' },
  )
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ready`)
    return { status: response.status, body: (await response.json()) as { checks: Record<string, unknown> } }
  } finally {
    await stop()
    await sql.end()
  }
}

function readOnly(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  return url.href
}

const ok = { status: 'ok' }

test('given settings with which it could take over, then a standby is ready', async () => {
  expect(await readyWith({})).toEqual({
    status: 200,
    body: { status: 'standby', checks: { node: ok, deployment: ok, database: ok } },
  })
})

test('given the file as the deploy command writes it, then a standby is ready; without the market in it, then it says so', async () => {
  const { market, usdc, usdcDomain, identityRegistry } = chain.deployment
  const registries = { identityRegistry: { address: identityRegistry } }
  const file = { chainId: chain.deployment.chainId, usdc: { address: usdc, ...usdcDomain }, registries }
  const recorded = await readyWith({ deployment: { ...file, contracts: { market: { address: market } } } })
  expect(recorded.status).toBe(200)
  const { status, body } = await readyWith({ deployment: { ...file, contracts: {} } })
  expect(status).toBe(503)
  expect(body.checks.deployment).toEqual({ status: 'failed', reason: expect.stringMatching('names no contracts') })
})

test.each([
  ['node', 'a node that does not answer', () => ({ rpcUrl: 'http://127.0.0.1:1' })],
  ['node', 'a node of another chain', () => ({ deployment: { chainId: 1 } })],
  ['deployment', 'a deployment that is not on this chain', () => ({ deployment: { market: `0x${'12'.repeat(20)}` } })],
  ['database', 'a login of the service', () => ({ databaseUrl: logins.serviceUrl })],
  ['database', 'a server that takes no writes', () => ({ databaseUrl: readOnly(logins.indexerUrl) })],
] as const)('given a fault of its %s, %s, then it says so', async (part, _name, changes) => {
  const { status, body } = await readyWith(changes())
  expect(status).toBe(503)
  expect(body.checks[part]).toEqual({ status: 'failed', reason: expect.any(String) })
})
