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

test('given a page that makes many reads, then it counts as one of its visitor, and of no other', async () => {
  const app = withPages(api.deps)
  const task = await api.seed.task({ requester: requester.address })
  await api.seed.submission(task.id, alice.address)
  const statusesOf = async (client: string, count: number) => {
    const statuses: number[] = []
    for (let index = 0; index < count; index += 1) {
      const path = `/tasks/${task.referenceCode}`
      statuses.push((await app.request(path, { headers: proxied(client) }, socket)).status)
    }
    return statuses
  }
  expect(await statusesOf('198.51.100.1', 4)).toEqual([200, 200, 200, 429])
  expect(await statusesOf('198.51.100.2', 1)).toEqual([200])
})

test('given a visitor with too many requests, then a page says when to come again', async () => {
  const app = withPages(api.deps)
  let response = new Response()
  for (let index = 0; index < 4; index += 1) {
    response = await app.request('/tasks', { headers: proxied('198.51.100.3') }, socket)
  }
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.text()).toContain('Too many requests')
})

test('given reads of the API and pages, then both draw on one quota', async () => {
  const app = withPages(api.deps)
  const headers = proxied('198.51.100.4')
  for (const path of ['/api/tasks', '/tasks', '/api/tasks']) {
    expect((await app.request(path, { headers }, socket)).status).toBe(200)
  }
  expect((await app.request('/api/tasks', { headers }, socket)).status).toBe(429)
})
