import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { writes } from '../../../api/server/routes.ts'
import { bazaarOf } from '../../../api/writes/stages/challenge-of.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const send = async (path: string, init: RequestInit, { app } = api) => {
  const answer = await app.request(path, { method: 'POST', ...init })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}
const json = { 'Content-Type': 'application/json' }

test.each([
  ['no body', {}],
  ['an empty object', { body: '{}', headers: json }],
  ['an empty object with spaces', { body: ' { } ', headers: json }],
])('POST /tasks with %s and nothing else gets the price of the least reward, and reserves nothing', async (_, init) => {
  const answer = await send('/api/tasks', init)
  const { body } = answer
  expect([answer.status, body.accepts[0].amount]).toEqual([402, '1000'])
  const inHeader = JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString())
  expect(inHeader).toEqual(body)
  const [{ count } = {}] = await api.sql`SELECT count(*)::int AS count FROM service.intents`
  expect(count).toBe(0)
})

test('every resource that crawlers are given answers an empty POST with its 402, and no other write does', async () => {
  const { body } = await api.get('/.well-known/x402')
  const listed: string[] = body.resources.map((url: string) => new URL(url).pathname)
  expect(listed.length).toBeGreaterThan(0)
  const mounted = { ...api, app: createApp(api.deps) }
  const probed = await Promise.all(
    writes.map(async ({ path }) => {
      const filled = `/api${path.replace(/\{\w+\}/g, `0x${'ab'.repeat(32)}`)}`
      return { filled, status: (await send(filled, {}, mounted)).status }
    }),
  )
  expect(probed.filter(({ status }) => status === 402).map(({ filled }) => filled)).toEqual(listed)
})

test.each([
  ['a field', '/api/tasks', { body: '{"reward":"1000"}', headers: json }],
  ['an array', '/api/tasks', { body: '[]', headers: json }],
  ['no JSON', '/api/tasks', { body: '{', headers: json }],
  ['a long body', '/api/tasks', { body: `{${' '.repeat(100)}}`, headers: json }],
  ['a payment', '/api/tasks', { headers: { 'PAYMENT-SIGNATURE': 'x' } }],
  ['a payment of version 1', '/api/tasks', { headers: { 'X-PAYMENT': 'x' } }],
  ['nothing, of another write', '/api/identity/register', {}],
])('a request without a key and with %s is 400', async (_, path, init) => {
  const answer = await send(path, init)
  expect([answer.status, answer.body.service.reason]).toEqual([400, 'idempotency_key_required'])
})

test('a key that is no UUID is 400, also without a body', async () => {
  const answer = await send('/api/tasks', { headers: { 'X-Service-Idempotency-Key': 'x' } })
  expect(answer.status).toBe(400)
})

test('what challenges declare of a write is made once', () => {
  for (const write of writes) expect(bazaarOf(write)).toBe(bazaarOf(write))
})
