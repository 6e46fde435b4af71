import { describe, expect, test } from 'vitest'
import { mutations, queries } from '../../../api/server/routes.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()

const ask = (procedure: string, input?: unknown, headers: Record<string, string> = {}) =>
  api.get(
    `/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`,
    headers,
  )

describe('a query', () => {
  test.each([
    ['network.info', undefined, '/api/network'],
    [
      'tasks.list',
      { limit: 1, tags: ['red', 'blue'], status: 'ALL', minReward: '1' },
      '/api/tasks?limit=1&tags=red,blue&minReward=1',
    ],
    ['tasks.get', { taskId: `0x${'ab'.repeat(32)}` }, `/api/tasks/0x${'ab'.repeat(32)}`],
  ])('%s %o answers what %s does', async (procedure, input, path) => {
    await api.seed.task({ requester: anActor().address }, { tags: ['red', 'blue'] })
    const [rpc, rest] = [await ask(procedure, input), await api.get(path)]
    expect(rpc.status).toBe(200)
    expect(rpc.body).toEqual({ result: { data: rest.body } })
  })

  test('sees who reads', async () => {
    const alice = anActor()
    const task = await api.seed.task({ requester: alice.address }, { taskVisibility: 'private' })
    const seen = await ask('tasks.get', { taskId: task.id }, await readHeadersOf(alice))
    expect(seen.body.result.data.id).toBe(task.id)
    expect(seen.headers.get('cache-control')).toBe('private')
    expect(seen.headers.get('vary')).toContain('X-Service-Caller-Address')
    expect((await ask('tasks.get', { taskId: task.id })).body).toEqual({ result: { data: null } })
  })

  test('answers a HEAD as it does a GET, without the body', async () => {
    const response = await api.app.request('/trpc/health', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

test('the published description names every one', async () => {
  const { body } = await api.get('/openapi.json')
  for (const name of Object.keys({ ...queries, ...mutations })) expect(body.info.description).toContain(`\`${name}\``)
})

describe('a batch', () => {
  const batch = (procedures: string, inputs: unknown) =>
    api.get(`/trpc/${procedures}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`)

  test('answers each call in its place', async () => {
    const { status, body } = await batch('network.info,tasks.stats', {})
    expect(status).toBe(200)
    expect(body).toEqual([{ result: { data: expect.any(Object) } }, { result: { data: expect.any(Object) } }])
  })

  test('keeps the status of each call; the request has 207 when they differ', async () => {
    const { status, body } = await batch('network.info,tasks.list,nothing.here', { 1: { limit: 0 } })
    expect(status).toBe(207)
    expect(body.map(({ error }: { error?: { data: { httpStatus: number } } }) => error?.data.httpStatus)).toEqual([
      undefined,
      400,
      404,
    ])
    expect(body[1].error.data.service).toEqual(refusedBy('invalid_input'))
  })

  test('is never streamed', async () => {
    const { body } = await api.get('/trpc/network.info?batch=1', { 'trpc-accept': 'application/jsonl' })
    expect(body).toEqual([{ result: { data: expect.any(Object) } }])
  })
})

describe('errors', () => {
  test.each([
    ['an unknown procedure', '/trpc/tasks.nothing', 404, 'NOT_FOUND', -32004, 'route_not_found'],
    ['no procedure', '/trpc/', 404, 'NOT_FOUND', -32004, 'route_not_found'],
    ['a procedure by an inherited name', '/trpc/__proto__', 404, 'NOT_FOUND', -32004, 'route_not_found'],
    ['input that is no JSON', '/trpc/tasks.list?input={', 400, 'BAD_REQUEST', -32600, 'malformed_json'],
    ['input that is no object', '/trpc/tasks.list?input=5', 400, 'BAD_REQUEST', -32600, 'invalid_input'],
    [
      'input of the wrong shape',
      '/trpc/tasks.list?input={"limit":{"$gt":1}}',
      400,
      'BAD_REQUEST',
      -32600,
      'invalid_input',
    ],
    ['a path that is no text', '/trpc/%ff', 400, 'BAD_REQUEST', -32600, 'invalid_input'],
    [
      'a batch whose input is a list',
      '/trpc/health,health?batch=1&input=5',
      400,
      'BAD_REQUEST',
      -32600,
      'invalid_input',
    ],
    ['a write by GET', '/trpc/tasks.create?input={}', 404, 'NOT_FOUND', -32004, 'method_not_allowed'],
  ])('%s', async (_, path, status, code, number, detail) => {
    const answer = await api.get(path)
    const [failed] = [answer.body].flat()
    expect([answer.status, failed]).toEqual([
      status,
      {
        error: {
          message: expect.stringMatching(/^\S.+\.$/),
          code: number,
          data: expect.objectContaining({ code, httpStatus: status, service: refusedBy(detail) }),
        },
      },
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(JSON.stringify(answer.body)).not.toMatch(/stack|node_modules|\.ts:/)
  })

  test('a wrong method says which is right', async () => {
    const query = await api.post('/trpc/health', {})
    expect([query.status, query.headers.get('allow'), query.body.error.data.code]).toEqual([404, 'GET', 'NOT_FOUND'])
    const write = await api.get('/trpc/tasks.create')
    expect([write.status, write.headers.get('allow')]).toEqual([404, 'POST'])
  })

  test('fields that are wrong are named', async () => {
    const { body } = await ask('tasks.list', { limit: 1000 })
    expect(body.error.data.issues).toEqual([{ path: 'limit', message: expect.any(String) }])
    expect(body.error.message).toMatch(/^limit: /)
  })

  test('an unexpected failure is 500 without its reason', async () => {
    const { chain } = api
    const head = chain.head
    chain.head = () => Promise.reject(new Error('secret detail of /var/lib/host and select * from task'))
    try {
      const { status, body } = await ask('tasks.list')
      expect(status).toBe(500)
      expect(body).toEqual({
        error: {
          message: 'The service failed to handle the request.',
          code: -32603,
          data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, service: refusedBy('internal_error') },
        },
      })
    } finally {
      chain.head = head
    }
  })

  test('an intent that is not there', async () => {
    const { status, body } = await ask('intents.get', { intentId: crypto.randomUUID() })
    const docs = expect.stringMatching(/\/docs\/errors\/intent_unreadable$/)
    const service = { reason: 'intent_not_found', detail: 'intent_unreadable', docs }
    expect([status, body.error.data]).toEqual([404, { code: 'NOT_FOUND', httpStatus: 404, service }])
  })
})

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

/** `service` of an error. */
function refusedBy(detail: string) {
  return { reason: 'unclassified', detail, docs: `${api.deps.config.PUBLIC_BASE_URL}/docs/errors/${detail}` }
}
