import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { listPageHeads } from '../../../api/features/tasks/list/list-tasks.queries.ts'
import { readTaskDetail } from '../../../api/features/tasks/task-detail.ts'
import { findServedSchema, serveSchema } from '../../../ops/indexer/views-schema.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { deployAll } from './stand-in-deployment.ts'

let database: TestDatabase
let indexer: postgres.Sql
let service: Database

beforeAll(async () => {
  database = await createTestDatabase()
  const { indexerUrl, serviceUrl } = await openLogins(database.url, { isOwnServer: true })
  indexer = postgres(indexerUrl, { max: 3, onnotice: () => {} })
  service = connectDatabase({ url: serviceUrl, max: 4 })
  await migrate(service)
})

afterAll(async () => {
  await indexer?.end()
  await service?.end()
  await database?.drop()
})

const readList = async () =>
  (await listPageHeads(service, {} as never, { order: 'newest', limit: 21, now: 1n })).position

const unknown = {
  taskId: `0x${'a'.repeat(64)}` as const,
  deps: { chain: { head: async () => ({ timestamp: 1n }) }, config: {} } as never,
}
const readDetail = async () => (await readTaskDetail(unknown.deps, service, unknown.taskId)).position

/** The deployment that a read was of, as its position ends. */
const schemaOf = (position: string) => position.slice(position.lastIndexOf(' ') + 1)

test('given lists and details that are read without a pause, when deployments are served, then each is, and no read fails', async () => {
  await deployAll(indexer, 'idx_old', { block: 1, gift: 3 })
  await deployAll(indexer, 'idx_new', { block: 2, gift: 4 })
  await serveSchema(indexer, 'idx_old')
  const seen = new Set<string>()
  let isOver = false
  const readSteadily = async (read: () => Promise<string>) => {
    while (!isOver) seen.add(schemaOf(await read()))
  }
  // Each has a plan of its own now: a reader takes its locks at once.
  await Promise.all([readList(), readDetail()])
  const reading = Promise.all([readList, readDetail, readList, readDetail].map(readSteadily))
  for (const schema of ['idx_new', 'idx_old', 'idx_new']) {
    await serveSchema(indexer, schema)
    expect(await findServedSchema(indexer)).toBe(schema)
  }
  isOver = true
  await reading
  expect([...seen].sort()).toEqual(['idx_new', 'idx_old'])
})
