import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReaderSession } from '../../../api/analytics/reader-session.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let proxy: CuttableProxy

beforeAll(async () => {
  database = await createTestDatabase()
  const { hostname, port } = new URL(database.url)
  proxy = await startCuttableProxy({ host: hostname, port: Number(port) })
})

afterAll(async () => {
  await proxy.stop()
  await database.drop()
})

test('given a stopped server, when the query is ended, then its slot is free again', async () => {
  const url = new URL(database.url)
  url.port = String(proxy.port)
  const deadline = new AbortController()
  let began: () => void = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve
  })
  const { result, closed } = startReaderSession(
    { url: url.href, schema: 'public' },
    { signal: deadline.signal, maxBytes: 1_000 },
    async ({ run }) => {
      await run('SELECT 1')
      began()
      await run('SELECT pg_sleep(60)')
    },
  )
  await hasBegun
  proxy.vanish()
  deadline.abort(new Error('the deadline'))
  await expect(result).rejects.toThrow('the deadline')
  await closed
})
