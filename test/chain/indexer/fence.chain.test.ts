import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FENCE_MESSAGE, raiseFence, raiseRevertFence, withOrigin } from '../../../ops/indexer/fence.ts'
import { acquireIndexerLock, type IndexerLock, releaseDeadPonder } from '../../../ops/indexer/indexer-lock.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const schema = 'idx_fenced'

let database: TestDatabase
let sql: postgres.Sql
let lock: IndexerLock
let ponder: postgres.Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  lock = await acquireIndexerLock(database.url, { schema, log: () => {} })
})

afterAll(async () => {
  await ponder?.end()
  await lock?.release()
  await sql?.end()
  await database?.drop()
})

/** The schema as Ponder leaves it, and a session of Ponder. */
beforeEach(async () => {
  await sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`
  const session = await lock.findSession()
  if (session === null) throw new Error('another session has the lock')
  await raiseFence(sql, schema, session)
  await sql.unsafe(`
    CREATE TABLE ${schema}._reorg__task (id text);
    INSERT INTO ${schema}._reorg__task VALUES ('undone');
    INSERT INTO ${schema}._ponder_meta VALUES ('app', '{"is_locked": 1}');
    INSERT INTO ${schema}._ponder_checkpoint VALUES ('base', 8453, 'safe', 'latest', 'final')`)
  await raiseRevertFence(sql, schema)
  await ponder?.end()
  ponder = connect(withOrigin(database.url, session))
})

/** Every statement by which a commit of Ponder is known. */
const commits: readonly [string, string][] = [
  [
    'a first checkpoint',
    `INSERT INTO ${schema}._ponder_checkpoint VALUES ('base', 8453, '1', '2', '3')
     ON CONFLICT (chain_name) DO UPDATE SET latest_checkpoint = excluded.latest_checkpoint`,
  ],
  ['a block', `UPDATE ${schema}._ponder_checkpoint SET latest_checkpoint = 'next'`],
  ['its lock', `UPDATE ${schema}._ponder_meta SET value = jsonb_set(value, '{is_ready}', '1')`],
  ['a revert', `WITH undone AS (DELETE FROM ${schema}._reorg__task RETURNING *) SELECT count(*) FROM undone`],
]

test.each(commits)(
  'given %s, then Ponder commits it with the origin of the lock’s session, until that has ended, and not without an origin',
  async (_name, statement) => {
    const unfenced = connect(database.url)
    await expect(unfenced.unsafe(statement)).rejects.toThrow(FENCE_MESSAGE)
    await unfenced.end()
    await ponder.unsafe(statement)
    await lock.renew()
    await expect(ponder.unsafe(statement)).rejects.toThrow(FENCE_MESSAGE)
  },
)

test('given a Ponder whose session has ended, then its supervisor unlocks the schema all the same', async () => {
  await lock.renew()
  await ponder.end()
  await releaseDeadPonder(sql, schema)
  const [row] = await sql`SELECT value FROM ${sql(schema)}._ponder_meta`
  expect(row?.value).toEqual({ is_locked: 0 })
})

test('given no tables of undone rows, then the start ends with the reason', async () => {
  await sql`DROP TABLE ${sql(schema)}._reorg__task`
  await expect(raiseRevertFence(sql, schema)).rejects.toThrow('has no tables of undone rows')
})

test('given a URL with options of its own, then a session has these too', async () => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c work_mem=3MB')
  const own = connect(withOrigin(url.href, '1/2'))
  const [row] = await own`SELECT current_setting('work_mem') AS memory, current_setting('market.origin') AS origin`
  expect(row).toEqual({ memory: '3MB', origin: '1/2' })
  await own.end()
})

/** A session with the name that Ponder gives its own. */
function connect(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: `${schema}_user` } })
}
