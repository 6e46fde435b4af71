import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAnalytics } from '../../../api/db/analytics/make-analytics.ts'
import { analyticsViews } from '../../../api/db/analytics/views.ts'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { serveSchema } from '../../../ops/indexer/views-schema.ts'
import { type DatabaseLogins, openLogins } from '../../../scripts/postgres/database-logins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { deployAll } from './stand-in-deployment.ts'

let database: TestDatabase
let logins: DatabaseLogins
let indexer: postgres.Sql
let service: Database

beforeAll(async () => {
  database = await createTestDatabase()
  logins = await openLogins(database.url, { isOwnServer: true })
  indexer = postgres(logins.indexerUrl, { max: 3, onnotice: () => {} })
  service = connectDatabase({ url: logins.serviceUrl, max: 3 })
  await migrate(service)
})

afterAll(async () => {
  await indexer?.end()
  await service?.end()
  await database?.drop()
})

beforeEach(async () => {
  await service`DELETE FROM service.analytics_views`
  await indexer`DROP SCHEMA IF EXISTS idx_old, idx_new CASCADE`
  await makeAnalytics(service)
})

/** Views that read no table of the indexer. */
const lookups = ['operation', 'event_kind', 'daily_market', 'daily_mode', 'daily_flow', 'daily_balance']

/** A table of arrivals with a column in the middle, a column less, and a column of another type. */
function changeArrivals(tables: string): string {
  const start = tables.indexOf('CREATE TABLE "arrival"')
  const end = tables.indexOf(');', start)
  const changed = tables
    .slice(start, end)
    .replace('\t"sender"', '\t"note" text,\n\t"sender"')
    .replace('\t"transaction_index" integer NOT NULL,\n', '')
    .replace('"log_index" integer', '"log_index" bigint')
  return tables.slice(0, start) + changed + tables.slice(end)
}

async function storeView(name: string, query: string, hidesRows = false): Promise<void> {
  await service`
    INSERT INTO service.analytics_views (name, position, query, hides_rows, version)
    SELECT ${name}, max(position) + 1, ${query}, ${hidesRows}, max(version) FROM service.analytics_views`
}

/** The schema, the views and the columns that have no comment. */
async function listSilent(): Promise<string[]> {
  const rows = await service<{ name: string }[]>`
    SELECT nspname AS name FROM pg_namespace
    WHERE nspname = 'analytics' AND obj_description(oid, 'pg_namespace') IS NULL
    UNION ALL
    SELECT oid::regclass::text FROM pg_class
    WHERE relnamespace = 'analytics'::regnamespace AND obj_description(oid, 'pg_class') IS NULL
    UNION ALL
    SELECT attrelid::regclass || '.' || attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'analytics'::regnamespace AND attnum > 0 AND col_description(attrelid, attnum) IS NULL`
  return rows.map(({ name }) => name)
}

async function columnsOf(view: string): Promise<string[]> {
  const columns = await service<{ text: string }[]>`
    SELECT attname || ' ' || format_type(atttypid, atttypmod) AS text FROM pg_attribute
    WHERE attrelid = to_regclass(${`analytics.${view}`}) AND attnum > 0 ORDER BY attnum`
  return columns.map(({ text }) => text)
}

const readAmounts = async () =>
  (await service<{ amount: bigint }[]>`SELECT amount FROM analytics.ledger`).map(({ amount }) => Number(amount))

async function refusalOf(url: string, statement: string): Promise<string | null> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  try {
    await sql.unsafe(statement)
    return null
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error
    return error.code
  } finally {
    await sql.end()
  }
}

describe('the views of the schema analytics', () => {
  test('given a service that starts before a deployment is served, then its start names what is left out, and the switch makes it', async () => {
    const leftOut = await makeAnalytics(service)
    expect(leftOut).toContain('analytics.ledger is left out: relation "market.ledger" does not exist')
    expect(leftOut.map((sentence) => sentence.split(' ')[0])).toEqual(
      analyticsViews.filter(({ name }) => !lookups.includes(name)).map(({ name }) => `analytics.${name}`),
    )
    await deployAll(indexer, 'idx_old', { block: 1, gift: 3 })
    expect(await serveSchema(indexer, 'idx_old')).toEqual([])
    expect(await readAmounts()).toEqual([3])
    expect(await columnsOf('ledger')).toEqual([
      'id text',
      'block_number bigint',
      'at timestamp with time zone',
      'tx_hash text',
      'log_index integer',
      'asset text',
      'kind text',
      'from_account text',
      'to_account text',
      'amount numeric',
      'amount_units numeric',
      'task_id text',
      'operation text',
    ])
  })

  test('given a start, and a switch of deployments after it, then the schema, each view and each column have their text', async () => {
    await deployAll(indexer, 'idx_old', { block: 1, gift: 3 })
    await deployAll(indexer, 'idx_new', { block: 2, gift: 4 })
    await serveSchema(indexer, 'idx_old')
    await service`DROP VIEW analytics.ledger`
    await makeAnalytics(service)
    expect(await listSilent()).toEqual([])
    await serveSchema(indexer, 'idx_new')
    expect(await listSilent()).toEqual([])
    const [text] = await service<{ asset: string }[]>`
      SELECT col_description(attrelid, attnum) AS asset FROM pg_attribute
      WHERE attrelid = 'analytics.ledger'::regclass AND attname = 'asset'`
    expect(text).toEqual({ asset: 'Address of the token.' })
  })

  test('given a query that reads them, when a deployment with a column in the middle, one less and one of another type is served, then no reader fails', async () => {
    await deployAll(indexer, 'idx_old', { block: 1, gift: 3 })
    await deployAll(indexer, 'idx_new', { block: 2, gift: 4, change: changeArrivals })
    await storeView('arrivals', 'SELECT * FROM market.arrival')
    await storeView('places', 'SELECT transaction_index FROM market.arrival')
    await storeView('larger', 'SELECT amount FROM analytics.arrivals WHERE amount > 1', true)
    expect(await serveSchema(indexer, 'idx_old')).toEqual([])
    const before = await columnsOf('arrivals')
    expect(await columnsOf('places')).toEqual(['transaction_index integer'])

    const amounts = new Set<number>()
    let isServed = false
    let serving: Promise<string[]> = Promise.resolve([])
    await service.begin(async (analyst) => {
      await analyst`SELECT ledger.amount FROM analytics.ledger, analytics.larger`
      serving = serveSchema(indexer, 'idx_new').finally(() => {
        isServed = true
      })
      for (let read = 0; read < 5; read += 1) for (const amount of await readAmounts()) amounts.add(amount)
    })
    while (!isServed) for (const amount of await readAmounts()) amounts.add(amount)

    expect(await serving).toEqual(['analytics.places is left out: column "transaction_index" does not exist'])
    expect([...amounts].filter((amount) => ![3, 4].includes(amount))).toEqual([])
    expect(amounts).toContain(3)
    expect(await readAmounts()).toEqual([4])
    expect(await columnsOf('arrivals')).toEqual(
      before.flatMap((column) => {
        if (column === 'transaction_index integer') return []
        if (column === 'log_index integer') return ['log_index bigint']
        return column === 'sender text' ? ['note text', column] : [column]
      }),
    )
    expect(await columnsOf('ledger')).toContain('log_index bigint')
    const [larger] = await service`SELECT reloptions FROM pg_class WHERE oid = to_regclass('analytics.larger')`
    expect(larger).toEqual({ reloptions: ['security_barrier=true'] })

    expect(await serveSchema(indexer, 'idx_old')).toEqual([])
    expect(await columnsOf('arrivals')).toEqual(before)
    expect(await columnsOf('places')).toEqual(['transaction_index integer'])
  })

  test('given a view that was dropped, or whose query is another, when the service starts, then it is made again; one of a later release stays', async () => {
    await deployAll(indexer, 'idx_old', { block: 1, gift: 3 })
    await serveSchema(indexer, 'idx_old')
    await service`DROP VIEW analytics.ledger`
    expect(await makeAnalytics(service)).toEqual([])
    expect(await readAmounts()).toEqual([3])

    const another = 'SELECT 7 AS amount'
    await service`UPDATE service.analytics_views SET query = ${another}`
    await makeAnalytics(service)
    expect(await readAmounts()).toEqual([3])

    await service`UPDATE service.analytics_views SET query = ${another}, version = version + 1`
    await service`SELECT service.make_analytics()`
    expect(await makeAnalytics(service)).toEqual([])
    expect(await readAmounts()).toEqual([7])
  })

  test('given several processes that start at once, while a deployment is served, then each of them finds the views', async () => {
    await deployAll(indexer, 'idx_old', { block: 1, gift: 3 })
    await Promise.all([serveSchema(indexer, 'idx_old'), ...[1, 2, 3].map(() => makeAnalytics(service))])
    expect(await readAmounts()).toEqual([3])
  })

  test('given the logins, when another deployment was served, then the reader reads them, and the indexer alone may have them made again', async () => {
    await deployAll(indexer, 'idx_old', { block: 1, gift: 3 })
    await serveSchema(indexer, 'idx_old')
    expect(await refusalOf(logins.readerUrl ?? '', 'SELECT * FROM analytics.ledger')).toBeNull()
    expect(await refusalOf(logins.indexerUrl, 'SELECT * FROM analytics.ledger')).toBe('42501')
    expect(await refusalOf(logins.readerUrl ?? '', 'SELECT service.make_analytics()')).toBe('42501')
    expect(await refusalOf(logins.indexerUrl, 'SELECT service.make_analytics()')).toBeNull()
    expect(await refusalOf(logins.indexerUrl, 'SELECT * FROM service.analytics_views')).toBe('42501')
    // The views read tables of the service as their owner; the logins that read them may not.
    expect(await refusalOf(logins.readerUrl ?? '', 'SELECT title, tags FROM analytics.task')).toBeNull()
    expect(await refusalOf(logins.readerUrl ?? '', 'SELECT tags FROM service.task_content')).toBe('42501')
    const granted = await service`
      SELECT relation.oid::regclass::text AS name, login, privilege
      FROM pg_class AS relation, unnest(ARRAY['market_reader', 'market_analyst']) AS login,
        unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS privilege
      WHERE relation.relkind IN ('r', 'v') AND has_table_privilege(login, relation.oid, privilege)
        AND (relation.relnamespace = 'service'::regnamespace
          OR relation.relnamespace = 'analytics'::regnamespace AND privilege <> 'SELECT')`
    expect([...granted]).toEqual([])
    const owners = await service`
      SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relnamespace = 'analytics'::regnamespace`
    expect([...owners]).toEqual([{ owner: 'market_service' }])
  })
})
