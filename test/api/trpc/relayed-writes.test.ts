import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const aBody = (fields: object = {}) => ({
  description: 'A haiku',
  reward: '2000000',
  duration: 24,
  tags: [],
  ...fields,
})
const aKey = () => crypto.randomUUID()
const keyed = (key: string, headers: Record<string, string> = {}) => ({ 'X-Service-Idempotency-Key': key, ...headers })

describe('round one of a paid write', () => {
  test('answers the challenge of the REST route: status, header, and in error.data.paymentRequired', async () => {
    const key = aKey()
    const rest = await api.post('/api/tasks', aBody(), keyed(key))
    const rpc = await api.post('/trpc/tasks.create', aBody(), keyed(key))
    expect([rest.status, rpc.status]).toEqual([402, 402])
    const url = `${api.deps.config.PUBLIC_BASE_URL}/trpc/tasks.create`
    const challenge = { ...rest.body, resource: { ...rest.body.resource, url } }
    expect(rpc.body).toEqual({
      error: {
        message: rest.body.error,
        code: -32002,
        data: {
          code: 'PAYMENT_REQUIRED',
          httpStatus: 402,
          service: expect.objectContaining({
            reason: 'payment_rejected',
            detail: 'payment_required',
            operation: 'tasks.create',
            idempotencyKey: key,
          }),
          paymentRequired: challenge,
        },
      },
    })
    const header = rpc.headers.get('payment-required') ?? ''
    expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual(challenge)
  })

  test('takes the fields of the path from its input', async () => {
    const requester = anActor()
    const task = await api.seed.task({ requester: requester.address })
    const key = aKey()
    expect((await api.post('/trpc/tasks.cancel', { taskId: task.id }, keyed(key))).status).toBe(402)
    // The same request over REST, so the same key serves both.
    expect((await api.post(`/api/tasks/${task.id}/cancel`, {}, keyed(key))).status).toBe(402)
    const missing = await api.post('/trpc/tasks.cancel', {}, keyed(aKey()))
    expect(missing.body.error.data).toMatchObject({
      httpStatus: 400,
      service: { reason: 'payment_preflight_rejected' },
      issues: [{ path: 'taskId', message: 'is required' }],
    })
  })

  test('a batch of one is that one', async () => {
    const { status, body } = await api.post('/trpc/tasks.create?batch=1', { 0: aBody() }, keyed(aKey()))
    expect(status).toBe(402)
    expect(body).toEqual([{ error: expect.objectContaining({ code: -32002 }) }])
  })
})

describe('refused before anything is reserved', () => {
  const reasonOf = (body: { error: { data: { httpStatus: number; service: { reason: string } } } }) => [
    body.error.data.httpStatus,
    body.error.data.service.reason,
  ]

  test('without a key', async () => {
    const { body } = await api.post('/trpc/tasks.create', aBody())
    expect(reasonOf(body)).toEqual([400, 'idempotency_key_required'])
  })

  test('two writes in one batch: each says so, and the key stays unused', async () => {
    const key = aKey()
    const { status, body } = await api.post('/trpc/tasks.create,tasks.create?batch=1', { 0: aBody() }, keyed(key))
    expect(status).toBe(400)
    expect(body.map(reasonOf)).toEqual(Array.from({ length: 2 }, () => [400, 'payment_preflight_rejected']))
    const { body: intent } = await api.get(`/api/intents?idempotencyKey=${key}`)
    expect(intent.service.reason).toBe('intent_not_found')
  })

  test.each([
    ['no JSON', '{', 400, 'payment_preflight_rejected'],
    ['a list', '[]', 400, 'payment_preflight_rejected'],
    ['nothing', '', 400, 'payment_preflight_rejected'],
    ['one byte beyond the limit', JSON.stringify('x'.repeat(1_000_000)), 413, 'unclassified'],
  ])('a body with %s', async (_, text, status, reason) => {
    const { body } = await api.post('/trpc/tasks.create', text, keyed(aKey()))
    expect(reasonOf(body)).toEqual([status, reason])
  })

  test('a payment that cannot be read', async () => {
    const { body } = await api.post('/trpc/tasks.create', aBody(), keyed(aKey(), { 'PAYMENT-SIGNATURE': '!' }))
    expect(reasonOf(body)).toEqual([400, 'payment_rejected'])
  })
})

test('a write that takes more than others takes it here too', async () => {
  const padding = 'x'.repeat(1_500_000)
  const { body } = await api.post('/trpc/submissions.create', { padding }, keyed(aKey()))
  expect(body.error.data).toMatchObject({ httpStatus: 400, service: { reason: 'payment_preflight_rejected' } })
})

test('the content type of a body does not matter, as over REST', async () => {
  const headers = keyed(aKey(), { 'Content-Type': 'application/x-www-form-urlencoded' })
  expect((await api.post('/trpc/tasks.create', aBody(), headers)).status).toBe(402)
})
