import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetCachedLogs } from '../../../ops/indexer/generation.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let sql: postgres.Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 4, onnotice: () => {} })
  await sql.unsafe(`
    CREATE SCHEMA ponder_sync;
    CREATE TABLE ponder_sync.intervals (block int);
    CREATE TABLE ponder_sync.factory_addresses (block int);
    CREATE TABLE ponder_sync.logs (block int)`)
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

test('given a Ponder that commits blocks while what it keeps is forgotten, then no block stays without its logs', async () => {
  let forgotten: Promise<void> | undefined
  await sql.begin(async (other) => {
    await other`LOCK TABLE ponder_sync.factory_addresses`
    forgotten = forgetCachedLogs(sql)
    const isWaiting = async () => (await other`SELECT FROM pg_locks WHERE NOT granted`).length > 0
    await expect.poll(isWaiting).toBe(true)
    await sql.begin(async (ponder) => {
      await ponder`INSERT INTO ponder_sync.logs VALUES (1)`
      await ponder`INSERT INTO ponder_sync.intervals VALUES (1)`
    })
  })
  await forgotten
  const blocks = await sql`SELECT block FROM ponder_sync.intervals`
  expect(await sql`SELECT block FROM ponder_sync.logs`).toEqual(blocks)
})
