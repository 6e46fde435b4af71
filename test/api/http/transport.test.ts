import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { anActor } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import { indexUpTo } from '../observability/operator-api.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()

test('an unknown route is 404 with a reason, and takes no method', async () => {
  const paths = ['/api/nope', '/nope', '/api', '/api/tasks/x/y/z/w', '/API/health', '/api/__proto__']
  for (const path of paths) {
    const { status, body, headers } = await api.get(path)
    expect([status, body.code, body.service]).toEqual([404, 'NOT_FOUND', refusedBy('route_not_found')])
    expect(headers.get('allow')).toBeNull()
  }
})

test.each([
  ['/api/tasks', 'DELETE', 'GET, HEAD, POST'],
  ['/api/tasks/', 'BREW', 'GET, HEAD, POST'],
  ['/api/health', 'POST', 'GET, HEAD'],
  [`/api/tasks/0x${'ab'.repeat(32)}/cancel`, 'GET', 'POST'],
  ['/openapi.json', 'PUT', 'GET, HEAD'],
  ['/trpc/health', 'PATCH', 'GET, HEAD, POST'],
])('%s, asked with %s, says which methods it takes', async (path, method, methods) => {
  const response = await api.app.request(path, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([404, methods])
  expect(await response.json()).toEqual({
    error: `There is no ${method} ${path.replace(/\/$/, '')}; this path takes ${methods}.`,
    code: 'NOT_FOUND',
    service: refusedBy('method_not_allowed'),
  })
})

test('a path may end in a slash, and nothing is redirected', async () => {
  expect((await api.get('/api/health/')).status).toBe(200)
})

test('an unexpected failure is 500 without its reason', async () => {
  const { seed, chain } = api
  const task = await seed.task({ requester: anActor().address })
  const head = chain.head
  chain.head = () => Promise.reject(new Error('secret detail of /var/lib/host and select * from task'))
  try {
    const { status, body, headers } = await api.get(`/api/tasks/${task.id}`)
    expect(status).toBe(500)
    expect(body).toEqual({
      error: 'The service failed to handle the request.',
      code: 'INTERNAL_SERVER_ERROR',
      service: refusedBy('internal_error'),
    })
    expect(headers.get('cache-control')).toBe('no-store')
  } finally {
    chain.head = head
  }
})

test('a chain that gives no answer is 503 with a reason', async () => {
  const { chain } = api
  const head = chain.head
  chain.head = () => Promise.reject(new ChainUnavailable('no answer from http://10.0.0.1:8545/secret'))
  try {
    const { status, body, headers } = await api.get('/api/tasks')
    expect([status, body.service.reason, headers.get('retry-after')]).toEqual([503, 'unclassified', '2'])
    expect(JSON.stringify(body)).not.toContain('10.0.0.1')
  } finally {
    chain.head = head
  }
})

test('any origin may call, with the headers of payments and of the service', async () => {
  const preflight = await api.app.request('/api/tasks', {
    method: 'OPTIONS',
    headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(',') ?? []
  for (const name of ['payment-signature', 'x-service-idempotency-key', 'x-service-caller-address', 'content-type']) {
    expect(allowed).toContain(name)
  }
  const answer = await api.get('/api/health', { Origin: 'https://example.org' })
  const exposed = answer.headers.get('access-control-expose-headers')?.split(',') ?? []
  for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Retry-After', 'RateLimit', 'X-Submit-Tx-Hash']) {
    expect(exposed).toContain(name)
  }
})

test('every answer has a request id, its own or a harmless one of the client', async () => {
  const own = await api.get('/api/nope')
  expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect((await api.get('/api/health', { 'X-Request-Id': 'abc-1' })).headers.get('x-request-id')).toBe('abc-1')
  const forged = await api.get('/api/health', { 'X-Request-Id': 'a b{}' })
  expect(forged.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('no answer may be sniffed, framed or run', async () => {
  for (const path of ['/api/health', '/api/nope', '/openapi.json']) {
    const { headers } = await api.get(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  }
})

describe('compression', () => {
  const requester = anActor().address
  const gzip = { 'accept-encoding': 'gzip' }
  const ask = (path: string, headers: Record<string, string> = {}) => api.app.request(path, { headers })
  beforeAll(async () => {
    for (let task = 0; task < 3; task += 1) await api.seed.task({ requester })
  })

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
    const answer = await ask(`/api/agents/inbox?address=${requester}`, gzip)
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
})

describe('the block of an answer', () => {
  beforeAll(async () => {
    await indexUpTo(api, 7n, START)
    await api.deps.indexedHead.refresh()
  })

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
})

/** `service` of an error. */
function refusedBy(detail: string) {
  return { reason: 'unclassified', detail, docs: `${api.deps.config.PUBLIC_BASE_URL}/docs/errors/${detail}` }
}
