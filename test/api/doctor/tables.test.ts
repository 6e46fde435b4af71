import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { DATA_VERSION } from '../../../api/db/data-version.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { requireOwnDatabase } from '../../../api/db/own-database.ts'
import { databaseCheck } from '../../../ops/doctor/database.ts'
import { openContext } from '../../../ops/doctor/open-context.ts'
import { runCheck } from '../../../ops/doctor/run-checks.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const forwarder = `0x${'12'.repeat(20)}` as const
const directory = mkdtempSync(join(tmpdir(), 'task-market-doctor-'))
const file = join(directory, 'deployment.json')

let database: TestDatabase
let sql: Database
beforeAll(async () => {
  database = await createTestDatabase()
  sql = connectDatabase({ url: database.url, max: 1 })
  const contracts = {
    market: { address: forwarder },
    forwarder: { address: forwarder },
    identityRegistrar: { address: forwarder },
  }
  const registries = { identityRegistry: { address: forwarder }, reputationRegistry: { address: forwarder } }
  const usdc = { address: forwarder, name: 'USD Coin', version: '2' }
  writeFileSync(
    file,
    JSON.stringify({ chainId: 8453, name: 'base', contracts, registries, usdc, multicall3: forwarder }),
  )
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
  rmSync(directory, { recursive: true })
})

/** The findings of the tables, and the faults of all. */
async function check() {
  const environment = { DATABASE_URL: database.url, URL_SIGNING_SECRET: 'x', DEPLOYMENT_FILE: file }
  const { context, close } = openContext(() => environment)
  try {
    const findings = await runCheck(databaseCheck, context)
    return findings.map(({ fault, finding }) => fault ?? finding)
  } finally {
    await close()
  }
}
const server = expect.stringMatching('^DATABASE_URL of api: PostgreSQL')

test('given a server before the first start, then its tables are not there yet, which is no fault', async () => {
  expect(await check()).toEqual([server, 'tables of the service: its first start makes them'])
})

test('given its own tables, then they are right; given those of a newer release or of other contracts, then that is a fault', async () => {
  await migrate(sql)
  await requireOwnDatabase(sql, { chainId: 8453, forwarder })
  expect(await check()).toEqual([server, 'tables of the service: of this release, and of these contracts'])
  await sql`update service.migrations set oldest_version = ${DATA_VERSION + 1}`
  expect(await check()).toEqual([server, 'newer_tables'])
  await sql`update service.migrations set oldest_version = 1`
  await sql`update service.deployment set chain_id = 84532`
  expect(await check()).toEqual([server, 'other_contracts'])
})
