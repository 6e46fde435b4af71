import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actor, anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
let requester: Actor

beforeAll(async () => {
  api = await startTestApi()
  requester = anActor()
  for (let task = 0; task < 3; task += 1) await api.seed.task({ requester: requester.address })
})
afterAll(() => api.stop())

const ask = (path: string, headers: Record<string, string> = {}) => api.app.request(path, { headers })
const gzip = { 'accept-encoding': 'gzip' }

test('a page is compressed for those who ask, and says that it depends on that', async () => {
  const [plain, short] = [await ask('/api/tasks'), await ask('/api/tasks', gzip)]
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(short.headers.get('content-encoding')).toBe('gzip')
  for (const { headers } of [plain, short]) expect(headers.get('vary')).toContain('Accept-Encoding')
  expect(short.headers.get('content-type')).toBe('application/json')
  const text = gunzipSync(await short.arrayBuffer()).toString('utf8')
  expect(text).toBe(await plain.text())
})

test('the two have one entity tag, weak where the bytes are others, and either is known again', async () => {
  const [plain, short] = [await ask('/api/tasks'), await ask('/api/tasks', gzip)]
  const tag = plain.headers.get('etag') ?? ''
  expect(short.headers.get('etag')).toBe(`W/${tag}`)
  for (const known of [tag, `W/${tag}`]) {
    const unchanged = await ask('/api/tasks', { ...gzip, 'if-none-match': known })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers.get('vary')).toContain('Accept-Encoding')
    expect(unchanged.headers.get('content-encoding')).toBeNull()
    expect(await unchanged.text()).toBe('')
  }
})

test('a short answer is not compressed', async () => {
  const answer = await ask('/api/agents/count', gzip)
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(answer.headers.get('vary')).toContain('Accept-Encoding')
})

test('what one caller alone is answered is never compressed', async () => {
  const answer = await ask(`/api/agents/inbox?address=${requester.address}`, gzip)
  const text = await answer.text()
  expect(text.length).toBeGreaterThan(1024)
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(answer.headers.get('etag')).not.toMatch(/^W/)
})

test('a HEAD has the headers of the GET', async () => {
  const head = await api.app.request('/api/tasks', { method: 'HEAD', headers: gzip })
  expect(head.headers.get('content-encoding')).toBe('gzip')
  expect(await head.text()).toBe('')
})
