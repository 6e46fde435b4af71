import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetCachedLogs } from '../../../ops/indexer/generation.ts'
import { acquireIndexerLock, releaseDeadPonder } from '../../../ops/indexer/indexer-lock.ts'
import { startCuttableProxy } from '../../support/cuttable-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let sql: postgres.Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 4, onnotice: () => {} })
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

describe('the lock of a schema', () => {
  test('given one holder, when a second one starts, then it logs this and waits for the end of the first', async () => {
    const first = await acquireIndexerLock(database.url, { schema: 'idx_a', log: () => {} })
    let say: (line: string) => void = () => {}
    const said = new Promise<string>((resolve) => {
      say = resolve
    })
    let hasSecond = false
    const waiting = acquireIndexerLock(database.url, { schema: 'idx_a', log: (line) => say(line) }).then((lock) => {
      hasSecond = true
      return lock
    })

    expect(await said).toContain('another indexer runs idx_a')
    expect(hasSecond).toBe(false)
    expect(await first.findSession()).not.toBeNull()

    await first.release()
    const second = await waiting
    expect(await second.findSession()).not.toBeNull()
    await second.release()
  })

  test('given a standby, when the database does not answer for a while, then it says so and goes on waiting', async () => {
    const url = new URL(database.url)
    const proxy = await startCuttableProxy({ host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${proxy.port}`
    const first = await acquireIndexerLock(database.url, { schema: 'idx_a', log: () => {} })
    const said: string[] = []
    const waiting = acquireIndexerLock(url.href, {
      schema: 'idx_a',
      log: (line) => said.push(line),
      longestWaitMs: 3000,
    })
    await expect.poll(() => said).toHaveLength(1)

    proxy.cut()
    await expect.poll(() => said[1]).toMatch(/^the database does not answer \(.+\); still waiting$/)
    proxy.mend()
    await first.release()
    const second = await waiting
    expect(await second.findSession()).not.toBeNull()
    expect(said).toHaveLength(2)
    await second.release()
    await proxy.stop()
  })

  test('given two schemas, then each has a separate lock', async () => {
    const locks = await Promise.all(
      ['idx_a', 'idx_b'].map((schema) => acquireIndexerLock(database.url, { schema, log: () => {} })),
    )
    expect(await Promise.all(locks.map((lock) => lock.findSession()))).not.toContain(null)
    await Promise.all(locks.map((lock) => lock.release()))
  })

  test('given a lost connection and another holder since, then the lock is not held', async () => {
    const lock = await acquireIndexerLock(database.url, { schema: 'idx_a', log: () => {} })
    await sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`
    const other = await acquireIndexerLock(database.url, { schema: 'idx_a', log: () => {} })

    await expect.poll(() => lock.findSession().catch(() => 'no answer')).toBeNull()
    await Promise.all([lock.release(), other.release()])
  })
})

describe('the tables of a Ponder process that was killed', () => {
  beforeEach(async () => {
    await sql.unsafe(`
      DROP SCHEMA IF EXISTS idx_dead CASCADE;
      CREATE SCHEMA idx_dead;
      CREATE TABLE idx_dead._ponder_meta (key text PRIMARY KEY, value jsonb NOT NULL);
      CREATE TABLE idx_dead._ponder_checkpoint (chain_name text, latest_checkpoint text, safe_checkpoint text);
      INSERT INTO idx_dead._ponder_meta VALUES ('app', '{"is_locked": 1, "build_id": "b"}');
      INSERT INTO idx_dead._ponder_checkpoint VALUES ('base', 'latest', 'safe')`)
  })

  async function readState() {
    const [row] = await sql`
      SELECT m.value, c.latest_checkpoint FROM idx_dead._ponder_meta m, idx_dead._ponder_checkpoint c`
    return row
  }

  test('given no connection, then it is unlocked, and its checkpoint stays where the rows are', async () => {
    await releaseDeadPonder(sql, 'idx_dead')
    expect(await readState()).toEqual({ value: { is_locked: 0, build_id: 'b' }, latest_checkpoint: 'latest' })
  })

  test('given its open connection, then it is unlocked only after that has closed', async () => {
    const connection = { application_name: 'idx_dead_user' }
    const ponder = postgres(database.url, { max: 1, connection, onnotice: () => {} })
    await ponder`SELECT 1`
    const releasing = releaseDeadPonder(sql, 'idx_dead')
    const before = await readState()
    await ponder.end()
    await releasing
    expect(before?.value.is_locked).toBe(1)
    expect((await readState())?.value.is_locked).toBe(0)
  })

  test('given no such schema, then nothing happens', async () => {
    await expect(releaseDeadPonder(sql, 'idx_never')).resolves.toBeUndefined()
  })
})

test('given a Ponder that commits blocks while what it keeps is forgotten, then no block stays without its logs', async () => {
  await sql.unsafe(`
    CREATE SCHEMA ponder_sync;
    CREATE TABLE ponder_sync.intervals (block int);
    CREATE TABLE ponder_sync.factory_addresses (block int);
    CREATE TABLE ponder_sync.logs (block int)`)
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
