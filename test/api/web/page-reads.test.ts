import { afterAll, beforeAll, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { browser, withPages } from '../../support/pages.ts'

const requester = anActor()
const alice = anActor()
const proxied = (client: string) => ({ ...browser, 'X-Forwarded-For': client })
/** A request through a socket of this machine, which is a trusted proxy. */
const socket = { incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 1, remoteFamily: 'IPv4' } } }

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ READS_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => api.stop())

test('given a page that makes many reads, then it counts as one of its visitor, who is told when to come again, and of no other', async () => {
  const app = withPages(api.deps)
  const task = await api.seed.task({ requester: requester.address })
  await api.seed.submission(task.id, alice.address)
  const read = (client: string) => app.request(`/tasks/${task.referenceCode}`, { headers: proxied(client) }, socket)
  for (let count = 0; count < 3; count += 1) expect((await read('198.51.100.1')).status).toBe(200)
  const refused = await read('198.51.100.1')
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([429, 'no-store'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain('Too many requests')
  expect((await read('198.51.100.2')).status).toBe(200)
})

test('given reads of the API and pages, then both draw on one quota', async () => {
  const app = withPages(api.deps)
  const headers = proxied('198.51.100.4')
  for (const path of ['/api/tasks', '/tasks', '/api/tasks']) {
    expect((await app.request(path, { headers }, socket)).status).toBe(200)
  }
  expect((await app.request('/api/tasks', { headers }, socket)).status).toBe(429)
})
