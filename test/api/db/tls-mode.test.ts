import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createReader } from '../../../api/analytics/reader-session.ts'
import { openReaderPool } from '../../../graphql/reader-pool.ts'
import { withExportSession } from '../../../ops/export/export-session.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  // libpq's default, which machines name for their tools; the servers of tests have no TLS.
  vi.stubEnv('PGSSLMODE', 'prefer')
  database = await createTestDatabase()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database.drop()
})

test('given PGSSLMODE=prefer, then GraphQL, exports and SQL reach a server without TLS', async () => {
  const { url } = database
  const { signal } = new AbortController()
  const pool = openReaderPool({ READER_DATABASE_URL: url, MARKET_SCHEMA: 'market' }, pino({ level: 'silent' }))
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  // What both say of the server that they reach.
  await expect(withExportSession({ url, waits: false, signal }, async () => {})).rejects.toThrow('leads to a primary')
  const options = { deadlineMs: 1_000, maxBytes: 1_000, signal }
  const read = createReader().transaction({ url, schema: 'market' }, options, async () => {})
  await expect(read).rejects.toMatchObject({ cause: expect.stringContaining('indexed_head') })
})
