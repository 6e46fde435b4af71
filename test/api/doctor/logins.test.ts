import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import type { DatabaseRole } from '../../../ops/doctor/database-roles.ts'
import { readLogin, rights } from '../../../ops/doctor/rights.ts'
import { applyLogins } from '../../../scripts/postgres/database-logins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const loginOf: Partial<Record<DatabaseRole, string>> = {
  api: 'market_service',
  indexer: 'market_indexer',
  reader: 'market_reader',
  exporter: 'market_exporter',
  replica: 'market_service',
}

let database: TestDatabase
let superuser: postgres.Sql
beforeAll(async () => {
  database = await createTestDatabase()
  const sql = connectDatabase({ url: database.url, max: 1 })
  await migrate(sql)
  await sql.end()
  // One session for all: roles are set in it.
  superuser = postgres(database.url, { max: 1, onnotice: () => {} })
  await superuser.unsafe(`
    CREATE SCHEMA market; CREATE TABLE market.task (id text); CREATE TABLE market.bid (id text);
    CREATE SCHEMA analytics; CREATE TABLE analytics.daily (id text);
    CREATE SCHEMA ponder_sync; CREATE TABLE ponder_sync.blocks (number bigint);
    CREATE SCHEMA idx_0123456789abcdef; CREATE TABLE idx_0123456789abcdef.task (id text)`)
  await applyLogins(database.url)
})
afterAll(async () => {
  await superuser?.end()
  await database?.drop()
})

/** Reads the rights of a role as its login, after `change` and before it is undone. */
async function readAfter(role: DatabaseRole, change?: string) {
  await superuser.unsafe('BEGIN')
  try {
    if (change !== undefined) await superuser.unsafe(change)
    await superuser.unsafe(`SET LOCAL ROLE ${loginOf[role]}`)
    const { missing, excessive } = await readLogin(superuser, role)
    return { missing, excessive }
  } finally {
    await superuser.unsafe('ROLLBACK')
  }
}

test.each(Object.keys(loginOf) as DatabaseRole[])(
  'given the script has run, then the login of %s has its rights and no other',
  async (role) => {
    expect(await readAfter(role)).toEqual({ missing: [], excessive: [] })
  },
)

describe('a change of the rights', () => {
  const revoked: [DatabaseRole, string, string][] = [
    ['api', 'ALTER SCHEMA service OWNER TO postgres', 'make the schema service, or own it'],
    ['api', 'ALTER TABLE service.intents OWNER TO postgres', 'own every table of service'],
    ['api', 'ALTER SCHEMA analytics OWNER TO postgres', 'own the schema analytics'],
    ['api', 'REVOKE SELECT ON market.bid FROM market_service', 'read every view of market'],
    ['indexer', 'ALTER TABLE ponder_sync.blocks OWNER TO postgres', 'own every table of the rows'],
    ['indexer', 'ALTER TABLE idx_0123456789abcdef.task OWNER TO postgres', 'own every table of the rows'],
    [
      'indexer',
      'REVOKE EXECUTE ON FUNCTION service.make_analytics() FROM market_indexer',
      'make the views of analytics again',
    ],
    ['reader', 'REVOKE USAGE ON SCHEMA market FROM market_reader', 'read every view of market'],
    ['reader', 'REVOKE SELECT ON analytics.daily FROM market_reader', 'read every view of analytics'],
    [
      'exporter',
      'REVOKE EXECUTE ON FUNCTION pg_wal_replay_pause() FROM market_exporter',
      'pause the replay of the standby',
    ],
    ['replica', 'REVOKE SELECT ON market.task FROM market_service', 'read every view of market'],
  ]

  test.each(revoked)('given the login of %s after %s, then it may not %s', async (role, change, what) => {
    expect(await readAfter(role, change)).toEqual({ missing: [what], excessive: [] })
  })

  test('given a database whose rights were taken from the indexer, then it may not create there', async () => {
    const change = `REVOKE CREATE ON DATABASE "${new URL(database.url).pathname.slice(1)}" FROM market_indexer; ALTER SCHEMA market OWNER TO postgres`
    expect((await readAfter('indexer', change)).missing).toEqual([
      'create schemas and temporary tables in the database',
      'create views in market',
    ])
  })

  test('given the reader may use the schema of private texts, then that is a right too many', async () => {
    const { missing, excessive } = await readAfter('reader', 'GRANT USAGE ON SCHEMA service TO market_reader')
    expect(missing).toEqual([])
    expect(excessive).toEqual(rights.reader.flatMap(({ what, isForbidden }) => (isForbidden ? [what] : [])))
  })

  test('given a login without a membership, then the keeper may not end sessions; with it, it may', async () => {
    const keeper = async (change: string) => {
      await superuser.unsafe(`BEGIN; CREATE ROLE a_keeper IN ROLE pg_monitor; ${change}; SET LOCAL ROLE a_keeper`)
      const { missing } = await readLogin(superuser, 'keeper').finally(() => superuser.unsafe('ROLLBACK'))
      return missing
    }
    expect(await keeper('SELECT 1')).toEqual(['end sessions of others'])
    expect(await keeper('GRANT pg_signal_backend TO a_keeper')).toEqual([])
  })
})
