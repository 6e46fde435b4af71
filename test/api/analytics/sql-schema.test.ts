import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
  await api.sql`insert into indexed_head ${api.sql({
    blockNumber: 77n,
    blockTimestamp: 1_700_000_000n,
    checkpoint: '',
    schemaVersion: 'idx_00000000000000aa',
  })}`
})

afterAll(() => api.stop())

test('given no standby, when the schema is asked for, then every table is there, with keys, references and the comments of the database', async () => {
  await api.sql`comment on schema market is 'the read model'`
  await api.sql`comment on table market.award is 'one row an award'`
  await api.sql`comment on column market.award.rating is '0..100; null: not rated'`
  const { status, body } = await api.get('/api/sql/schema')
  expect([status, body.schemaVersion]).toEqual([200, 'idx_00000000000000aa'])
  expect(body.schemas).toMatchObject([{ name: 'analytics' }, { name: 'market', meaning: 'the read model' }])
  const tableOf = (schema: string, name: string) =>
    body.tables.find((table: { schema: string; name: string }) => table.schema === schema && table.name === name)
  const award = tableOf('market', 'award')
  expect(award).toMatchObject({ meaning: 'one row an award', key: 'id' })
  expect(award.columns).toEqual(
    expect.arrayContaining([
      { name: 'id', type: 'text', nullable: false, references: null, meaning: null },
      { name: 'task_id', type: 'text', nullable: false, references: 'market.task.id', meaning: null },
      { name: 'rating', type: 'integer', nullable: true, references: null, meaning: '0..100; null: not rated' },
    ]),
  )
  const ledger = tableOf('analytics', 'ledger')
  expect(ledger).toMatchObject({ meaning: expect.stringContaining('movement of money'), key: 'id' })
  expect(ledger.columns[2]).toEqual({
    name: 'at',
    type: 'timestamp with time zone',
    nullable: null,
    references: null,
    meaning: expect.any(String),
  })
})

test('given one table is asked for, then it alone is answered, of both schemas unless one is named; another name is 404', async () => {
  const tablesOf = async (table: string) => {
    const { body } = await api.get(`/api/sql/schema?table=${table}`)
    return body.tables.map(({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`)
  }
  expect(await tablesOf('ledger')).toEqual(['analytics.ledger', 'market.ledger'])
  expect(await tablesOf('market.task')).toEqual(['market.task'])
  const { status, body } = await api.get('/api/sql/schema?table=service.intents')
  expect([status, body.error]).toEqual([404, expect.stringContaining('There is no table service.intents')])
})

test('given a later block, when it is asked for again with its tag, then it has not changed', async () => {
  const { headers } = await api.get('/api/sql/schema')
  await api.sql`update indexed_head set block_number = 78, block_timestamp = block_timestamp + 2`
  api.deps.rowChanges.note()
  const again = await api.get('/api/sql/schema', { 'If-None-Match': headers.get('ETag') ?? '' })
  expect(again.status).toBe(304)
  await api.sql`create view analytics.later as select 1 as one`
  await api.sql`update indexed_head set block_number = 79, version = 'another'`
  api.deps.rowChanges.note()
  const changed = await api.get('/api/sql/schema', { 'If-None-Match': headers.get('ETag') ?? '' })
  expect(changed.status).toBe(200)
})
