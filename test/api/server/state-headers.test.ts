import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { indexUpTo } from '../observability/operator-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await indexUpTo(api, 7n, START)
  await api.deps.indexedHead.refresh()
})
afterAll(() => api.stop())

test.each([
  ['/api/tasks', 200],
  ['/api/health', 200],
  [`/api/tasks/0x${'1'.repeat(64)}/pitches`, 404],
  ['/trpc/tasks.stats', 200],
])('%s names the block that it was made of, also a refusal', async (path, status) => {
  const answer = await api.get(path)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('x-service-block-number')).toBe('7')
  expect(answer.headers.get('x-service-block-timestamp')).toBe(String(START))
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Service-Block-Timestamp')
})

test('an answer of a head older than ten seconds says how old it is', async () => {
  expect((await api.get('/api/tasks')).headers.has('x-service-head-age')).toBe(false)
  api.chain.current = START + 11n
  expect((await api.get('/api/tasks')).headers.get('x-service-head-age')).toBe('11')
  delete api.chain.current
})

test('what is no answer of the API names none', async () => {
  expect((await api.get('/docs/api')).headers.has('x-service-block-number')).toBe(false)
})
