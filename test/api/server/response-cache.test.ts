import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { createResponseCache } from '../../../api/server/response-cache.ts'
import { anActor } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor().address
let version = 0

const api = aStartedApi()
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

test('a kept list costs one statement, and many who ask at once make it once and share the looks at its state', async () => {
  await list()
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
