import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ READS_PER_MINUTE: '3', TRUSTED_PROXIES: '10.0.0.1' })
})
afterAll(() => api.stop())

const through = (forwarded: string) =>
  api.app.request(
    '/api/network',
    { headers: { 'X-Forwarded-For': forwarded } },
    { incoming: { socket: { remoteAddress: '10.0.0.1' } } },
  )

test('a client that used up its budget is told when it may come back, and others are not held up', async () => {
  for (const left of [2, 1, 0]) {
    const response = await through('203.0.113.1')
    expect(response.status).toBe(200)
    expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"reads";r=${left};t=\\d+$`))
    expect(response.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=60')
  }
  const refused = await through('203.0.113.1')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=\d+$/)
  expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', service: { reason: 'unclassified' } })
  expect((await through('203.0.113.2')).status).toBe(200)
})
