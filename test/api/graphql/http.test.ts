import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aClient, type GraphqlApi, sendTo, startGraphqlApi, toAnswer } from './graphql-api.ts'

let api: GraphqlApi
beforeAll(async () => {
  api = await startGraphqlApi()
})
afterAll(() => api.stop())

const request = async (path: string, init: RequestInit = {}) => toAnswer(await api.app.request(path, init))
const query = '{ tasks { totalCount } }'

/** The only error of an answer. */
function errorOf(answer: { body: { errors: { message: string; extensions: { code: string } }[]; data?: unknown } }) {
  expect(answer.body.data).toBeUndefined()
  expect(answer.body.errors.length).toBe(1)
  const [error] = answer.body.errors
  return { code: error?.extensions.code, message: error?.message }
}

describe('metrics', () => {
  const read = (remoteAddress: string, headers: Record<string, string> = {}) =>
    api.app.request('/metrics', { headers }, { incoming: { socket: { remoteAddress } } })

  test('given answers and refusals, then they are counted by code, with the connections of the pool', async () => {
    api.registry.resetMetrics()
    await api.ask(query)
    await api.ask('{ tasks { nothing } }')
    await request('/graphql', { method: 'PUT' })
    const lines = (await (await read('127.0.0.1')).text()).split('\n')
    for (const line of [
      'taskmarket_graphql_requests_total{code="OK"} 1',
      'taskmarket_graphql_requests_total{code="GRAPHQL_VALIDATION_FAILED"} 1',
      'taskmarket_graphql_requests_total{code="METHOD_NOT_ALLOWED"} 1',
      'taskmarket_graphql_request_seconds_count 3',
      'taskmarket_graphql_connections{state="busy"} 0',
      'taskmarket_graphql_connections{state="waiting"} 0',
    ])
      expect(lines).toContain(line)
  })

  test('given a client of another machine, or one behind a proxy, then there are none', async () => {
    expect((await read('10.0.0.1')).status).toBe(404)
    expect((await read('127.0.0.1', { 'X-Forwarded-For': '127.0.0.1' })).status).toBe(404)
  })
})

describe('paths and methods', () => {
  test('given a health check, it is answered without a database', async () => {
    const { status, body } = await request('/health')
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } })
    expect((await request('/health', { method: 'HEAD' })).status).toBe(200)
  })

  test.each(['PUT', 'DELETE', 'PATCH'])(
    'given %s /graphql, it is refused with the expected request',
    async (method) => {
      const answer = await request('/graphql', { method, headers: { Accept: 'text/html' } })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
      expect(errorOf(answer)).toEqual({ code: 'METHOD_NOT_ALLOWED', message: expect.stringContaining('POST /graphql') })
    },
  )

  test('given GET /graphql, the answer is the explorer, whose files come from this host alone', async () => {
    const page = await request(`/graphql?query=${encodeURIComponent(query)}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(`${policy}${page.text}`).not.toMatch(/https?:|\/\/[a-z]/)
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(files.length).toBe(6)
    for (const path of files) {
      const file = await request(path)
      expect([path, file.status, file.headers.get('content-type')?.split(';')[0]]).toEqual([
        path,
        200,
        path.endsWith('.css') ? 'text/css' : 'text/javascript',
      ])
      if (path.endsWith('.css')) expect(file.text).not.toMatch(/url\((?!data:|#)|@import/)
    }
  })

  test.each(['/', '/graphql/', '/graphiql', '/sql', '/graphql/stream'])(
    'given the path %s, it is not found',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await request(path, { method })
        expect(answer.status).toBe(404)
        expect(errorOf(answer)).toEqual({ code: 'NOT_FOUND', message: expect.stringContaining('POST /graphql') })
      }
    },
  )

  test('given a page of any origin, its requests are allowed without credentials', async () => {
    const headers = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' }
    const preflight = await request('/graphql', { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    const answers = [preflight, await api.ask(query), await api.post('x'), await request('/nothing')]
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('given any answer, it is JSON, names no host and may load nothing', async () => {
    const answers = [
      await request('/', { headers: { Accept: 'text/html' } }),
      await request('/health', { headers: { Accept: 'text/html' } }),
      await api.ask(query),
      await api.post('x'),
      await api.ask('{ __schema { types { name description } } }'),
      await api.ask('{ nothing }'),
    ]
    for (const { headers, text } of answers) {
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(text).not.toMatch(/<(html|script|link)/i)
      // The description of Float names the standard that it follows.
      expect(text.replace('https://en.wikipedia.org/', '')).not.toMatch(/https?:\/\/|\/\/[a-z]/i)
    }
  })
})

describe('bodies', () => {
  test('given 64 KB, a body is read, and a byte more is refused', async () => {
    const body = (bytes: number) => JSON.stringify({ query, padding: '' }).replace('""', `"${'x'.repeat(bytes - 50)}"`)
    const exact = (bytes: number) => body(bytes).padEnd(bytes, ' ').slice(0, bytes)
    expect((await api.post(exact(65_536))).status).toBe(200)
    const answer = await api.post(exact(65_537))
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close'])
    expect(errorOf(answer)).toEqual({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('65536 bytes') })
  })

  test('given a stream that does not end, reading ends at 64 KB', async () => {
    let sent = 0
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 1
        controller.enqueue(new Uint8Array(16_384).fill(32))
      },
    })
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
    const answer = await request('/graphql', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
    expect(answer.status).toBe(413)
    expect(sent).toBeLessThan(10)
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['a bare document', 'application/graphql'],
    ['no type', ''],
    ['another JSON', 'application/json-seq'],
  ])('given %s, the body is refused with the type that is read', async (_, type) => {
    const answer = await api.post(JSON.stringify({ query }), { headers: { 'Content-Type': type } })
    expect(answer.status).toBe(415)
    expect(errorOf(answer).message).toContain('application/json')
  })

  test('given JSON with a character set, it is read', async () => {
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' }
    expect((await api.post(JSON.stringify({ query }), { headers })).status).toBe(200)
  })

  test.each([
    ['no JSON', '{"query": ', 'BAD_REQUEST'],
    ['deep JSON', `{"query":"{__typename}","variables":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`, 'LIMIT_EXCEEDED'],
    ['a deep document', JSON.stringify({ query: '{ a '.repeat(300) + '}'.repeat(300) }), 'LIMIT_EXCEEDED'],
    ['deep values', JSON.stringify({ query: `{ tasks(limit: ${'['.repeat(900)}) }` }), 'GRAPHQL_PARSE_FAILED'],
    ['10,000 aliases', JSON.stringify({ query: `{ ${'a:id '.repeat(10_000)} }` }), 'GRAPHQL_PARSE_FAILED'],
    ['a misspelt column', JSON.stringify({ query: '{ tasks { items { idd } } }' }), 'GRAPHQL_VALIDATION_FAILED'],
  ])('given %s, the request is refused without a stack', async (_, body, code) => {
    const answer = await api.post(body)
    expect(answer.status).toBe(400)
    expect(errorOf(answer).code).toBe(code)
    expect(answer.text).not.toMatch(/node_modules|\.[jt]s:\d/)
    expect(answer.text.length).toBeLessThan(1_000)
  })

  test('given a value named __proto__ among the variables, it has no effect', async () => {
    const body = `{"query": "query ($n: Int) { tasks(limit: $n) { totalCount } }", "variables": {"__proto__": {"n": 500}}}`
    expect((await api.post(body)).body).toEqual({ data: { tasks: { totalCount: 0 } } })
  })

  test('given aliases that every object has, they are plain names of the answer', async () => {
    const answer = await api.ask('{ __proto__: tasks { constructor: totalCount } }')
    expect(answer.text).toBe('{"data":{"__proto__":{"constructor":0}}}')
  })

  test('given requests, the log has a line for each and no part of their text', async () => {
    api.log.clear()
    await api.ask('query Secret { tasks(where: { id: "murmur" }) { totalCount } }', { client: '198.51.100.7' })
    await api.post('{"query": "{ murmur }"}')
    expect(api.log.lines('graphql request')).toMatchObject([
      { method: 'POST', status: 200 },
      { method: 'POST', status: 400, code: 'GRAPHQL_VALIDATION_FAILED' },
    ])
    expect(api.log.text()).not.toMatch(/murmur|Secret|198\.51/)
  })
})

describe('the rate limit', () => {
  test('given three requests a minute, the fourth of an address is refused with a time to retry', async () => {
    const small = await startGraphqlApi({ requestsPerMinute: 3 })
    try {
      const client = aClient()
      const send = (from: string) => sendTo(small.app, JSON.stringify({ query }), { client: from })
      // A request that is refused for its body counts too.
      expect((await sendTo(small.app, 'x', { client })).status).toBe(400)
      expect([await send(client), await send(client)].map(({ status }) => status)).toEqual([200, 200])
      const answer = await send(client)
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(errorOf(answer)).toEqual({ code: 'RATE_LIMITED', message: expect.stringContaining('3 requests a minute') })
      expect((await send(aClient())).status).toBe(200)
      const network = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:3::', '2001:db8:1:2::4', '2001:db8:1:3::1']
      const statuses = []
      for (const from of network) statuses.push((await send(from)).status)
      expect(statuses).toEqual([200, 200, 200, 429, 200])
    } finally {
      await small.stop()
    }
  })
})
