import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { createResponseCache } from '../../../api/server/response-cache.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'

const requester = anActor().address
let api: TestApi
let version = 0

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())
beforeEach(commit)

/** What a commit of the indexer does to what is told of it. */
async function commit(): Promise<void> {
  version += 1
  await api.sql`delete from indexed_head`
  await api.sql`insert into indexed_head ${api.sql({
    blockNumber: 1n,
    blockTimestamp: START,
    checkpoint: '0',
    ready: true,
    version: String(version),
  })}`
}

const list = async (path = '/api/tasks?limit=100') =>
  (await api.get(path)).body.tasks.map(({ id }: { id: string }) => id)

test('a list is answered from what is kept until the indexer commits, and then anew', async () => {
  const before = await list()
  const { id } = await api.seed.task({ requester })
  expect(await list()).toEqual(before)
  await commit()
  expect(await list()).toEqual([id, ...before])
})

test('a list is made anew when the head has another time', async () => {
  const { id } = await api.seed.task({ requester, expiryTime: START + 60n })
  expect(await list('/api/tasks?status=open')).toContain(id)
  api.chain.now = START + 60n
  try {
    expect(await list('/api/tasks?status=open')).not.toContain(id)
  } finally {
    api.chain.now = START
  }
})

test('another query is another answer', async () => {
  const [all, none] = [await list('/api/tasks'), await list(`/api/tasks?requester=${anActor().address}`)]
  expect(all.length).toBeGreaterThan(0)
  expect(none).toEqual([])
  expect((await api.get('/api/tasks?limit=0')).status).toBe(400)
  expect((await api.get('/api/tasks?limit=0')).status).toBe(400)
})

test('nothing is kept where the indexer does not tell of its commits', async () => {
  await api.sql`update indexed_head set version = null`
  const before = await list()
  const { id } = await api.seed.task({ requester })
  expect(await list()).toEqual([id, ...before])
})

test('a server that counts its transactions again from an earlier one has other answers and other tags', async () => {
  const before = await api.get('/api/tasks?limit=100')
  const { id } = await api.seed.task({ requester })
  await api.sql`update indexed_head set origin = '7/1700000000.5'`
  const after = await api.get('/api/tasks?limit=100', { 'if-none-match': before.headers.get('etag') ?? '' })
  expect(after.status).toBe(200)
  expect(after.body.tasks[0].id).toBe(id)
  await commit()
})

test('what is kept has its entity tag, and a client that knows it gets no body', async () => {
  const [first, second] = [await api.get('/api/tasks'), await api.get('/api/tasks')]
  const tag = first.headers.get('etag') ?? ''
  expect(second.headers.get('etag')).toBe(tag)
  expect(second.body).toEqual(first.body)
  expect((await api.get('/api/tasks', { 'if-none-match': tag })).status).toBe(304)
})

test('a kept list costs one statement, and many who ask at once make it once and share the looks at its state', async () => {
  const { sql, count } = countStatements(api.sql)
  const app = createApp(onDatabase(api.deps, sql))
  await Promise.all(Array.from({ length: 10 }, () => app.request('/api/tasks?limit=7')))
  // The first asks for the page, whose tasks are kept; the second whether what it makes is of now, and all others together.
  expect(count()).toBe(1 + 2)
  await app.request('/api/tasks?limit=7')
  expect(count()).toBe(1 + 2 + 1)
})

test('what could not be made is not kept', async () => {
  for (const tellsState of [true, false]) {
    const keep = createResponseCache(api.deps, { tellsState })
    const failing = () => Promise.reject(new Error('the database is away'))
    await expect(keep.answer('/x', failing)).rejects.toThrow('away')
    const body = { bytes: Buffer.from('{}'), tag: '"1"', state: null }
    expect(await keep.answer('/x', async () => body)).toBe(body)
  }
})
