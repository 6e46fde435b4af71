import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { startSilentServer } from '../../support/silent-server.ts'
import { agreeToEverything, aPaidCreate } from '../writes/fake-payments.ts'
import { appOn } from './operator-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ ANSWER_LIMIT_MS: '5000' })
  agreeToEverything(api)
})
afterAll(() => api.stop())

it('given a database that went silent, then a read is 503 and a write is in flight, in time', async () => {
  const silent = await startSilentServer()
  const { app, stop } = appOn(api, `postgres://unknown@127.0.0.1:${silent.port}/nothing`)
  const read = await app.request('/api/tasks')
  expect([read.status, read.headers.get('retry-after')]).toEqual([503, '10'])
  const write = await app.request('/api/tasks', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify(aPaidCreate(api).body),
  })
  expect(write.status).toBe(409)
  expect(await write.json()).toMatchObject({ service: { reason: 'intent_in_flight', operation: 'tasks.create' } })
  await stop()
  await silent.stop()
})

it('given a payment that hangs after the key is reserved, then 409 names the intent', async () => {
  const create = aPaidCreate(api)
  Object.assign(api.chain, { simulate: () => new Promise(() => {}) })
  const { status, body } = await create.roundTwo()
  const [row] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
  expect([status, body.service]).toEqual([
    409,
    expect.objectContaining({ reason: 'intent_in_flight', operation: 'tasks.create', intentId: row?.id }),
  ])
})

it('given a write whose node goes silent, then 409 soon after its own time is over, whatever other requests may take', async () => {
  const patient = await startTestApi({ ANSWER_LIMIT_MS: '600000', WRITE_ANSWER_MS: '100', WRITE_GRACE_MS: '4000' })
  agreeToEverything(patient)
  Object.assign(patient.chain, { simulate: () => new Promise(() => {}) })
  const { status, body } = await aPaidCreate(patient).roundTwo()
  expect([status, body.service.reason]).toEqual([409, 'intent_in_flight'])
  await patient.stop()
})
