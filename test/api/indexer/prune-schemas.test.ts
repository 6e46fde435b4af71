import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { acquireIndexerLock } from '../../../ops/indexer/indexer-lock.ts'
import { describePrune, planPrune, pruneOldSchemas } from '../../../ops/indexer/prune-schemas.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let sql: postgres.Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1, onnotice: () => {} })
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

/** Schemas in the order in which they are made, each with the time at which its Ponder ran last; the fourth is served. */
const lastUses = [10, 40, 30, 50, 0]
const names = lastUses.map((_, index) => `idx_000000000000000${index}`)
const [oldest, before, older, served, next] = names as [string, string, string, string, string]

beforeEach(async () => {
  await sql`DROP SCHEMA IF EXISTS market CASCADE`
  await sql`CREATE SCHEMA market`
  for (const [index, name] of names.entries()) {
    await sql`DROP SCHEMA IF EXISTS ${sql(name)} CASCADE`
    await sql.unsafe(`
      CREATE SCHEMA ${name};
      CREATE TABLE ${name}._ponder_checkpoint AS SELECT 1 AS block_number;
      CREATE TABLE ${name}._ponder_meta (key text, value jsonb)`)
    await sql`INSERT INTO ${sql(name)}._ponder_meta VALUES ('app', ${sql.json({ heartbeat_at: lastUses[index] ?? 0 })})`
  }
  await sql.unsafe(`CREATE VIEW market.indexed_head AS SELECT * FROM ${served}._ponder_checkpoint`)
})

async function listLeft(): Promise<string[]> {
  const rows = await sql<
    { name: string }[]
  >`SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^idx_' ORDER BY 1`
  return rows.map(({ name }) => name)
}

async function prune(isDryRun = false) {
  const schemas = await pruneOldSchemas(database.url, { isDryRun })
  return Object.fromEntries(schemas.map(({ name, keep }) => [name, keep]))
}

test('given old schemas, when they are pruned, then the served one, the one that ran before it and a newer one are left', async () => {
  const outcome = { [oldest]: null, [before]: 'before', [older]: null, [served]: 'served', [next]: 'newer' }

  expect(await prune(true)).toEqual(outcome)
  expect(await listLeft()).toEqual(names)
  expect(await prune()).toEqual(outcome)
  expect(await listLeft()).toEqual([before, served, next])
  expect(await prune()).toEqual({ [before]: 'before', [served]: 'served', [next]: 'newer' })
})

test('given an indexer that runs an old schema, when they are pruned, then that one is left', async () => {
  const lock = await acquireIndexerLock(database.url, { schema: oldest, log: () => {} })
  try {
    expect(await prune()).toMatchObject({ [oldest]: 'running', [older]: null })
  } finally {
    await lock.release()
  }
  expect(await listLeft()).toEqual([oldest, before, served, next])
})

test('given a Ponder that writes an old schema without the lock, when they are pruned, then that one is left', async () => {
  const ponder = postgres(database.url, { max: 1, connection: { application_name: `${older}_user` } })
  try {
    await ponder`SELECT 1`
    expect(await prune()).toMatchObject({ [oldest]: null, [older]: 'running' })
  } finally {
    await ponder.end()
  }
  expect(await listLeft()).toContain(older)
})

test('given a view of an operator that reads an old schema, when they are pruned, then both are left', async () => {
  await sql.unsafe(
    `CREATE SCHEMA IF NOT EXISTS reports; CREATE VIEW reports.old AS SELECT * FROM ${oldest}._ponder_checkpoint`,
  )

  expect(await prune()).toMatchObject({ [oldest]: 'read by others', [older]: null })
  expect(await sql`SELECT * FROM reports.old`).toHaveLength(1)
})

test('given no served rows, when they are pruned, then nothing is dropped', async () => {
  await sql`DROP VIEW market.indexed_head`

  await expect(prune()).rejects.toThrow('no rows are served yet')
  expect(await listLeft()).toEqual(names)
})

test('given the release before the served one was rolled back to once, then it is the one that ran last', () => {
  const found = [
    { name: 'first', age: 1, usedAt: 20, bytes: 3_000_000 },
    { name: 'withdrawn', age: 2, usedAt: 10, bytes: 2_000_000 },
    { name: 'third', age: 3, usedAt: 30, bytes: 1_000_000 },
  ]
  const planned = planPrune(found, 'third')

  expect(planned.map(({ keep }) => keep)).toEqual(['before', null, 'served'])
  expect(describePrune(planned, true).at(-1)).toBe('1 of 3 schemas would be dropped, 2 MB')
})
