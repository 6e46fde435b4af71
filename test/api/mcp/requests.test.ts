import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi({ PUBLIC_BASE_URL: 'https://market.example' })

/** What clients of 2025 send, by hand. */
const headersOf = (given: Record<string, string> = {}) => ({
  Host: 'market.example',
  Accept: 'application/json, text/event-stream',
  ...given,
})
const call = (name: string, given: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
})
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

/** The messages of an answer, as JSON or as events. */
function messagesIn(body: unknown): { id: number; result?: { isError?: boolean; content: { text: string }[] } }[] {
  if (typeof body !== 'string') return [body].flat() as never
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

describe('who may call /mcp', () => {
  test.each([
    ['another name', { Host: 'rebound.example' }],
    ['the name of this machine', { Host: '127.0.0.1:3000' }],
    ['another origin', { Origin: 'https://elsewhere.example' }],
    ['another port of the same host', { Origin: 'https://market.example:8443' }],
    ['the same host without TLS', { Origin: 'http://market.example' }],
    ['a page without an origin', { Origin: 'null' }],
  ])('%s is refused', async (_, headers) => {
    const answer = await api.post('/mcp', ping, headersOf(headers))
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: expect.any(String) } })
  })

  test('a request without a name is refused', async () => {
    const answer = await api.post('/mcp', ping, { Accept: headersOf().Accept })
    expect(answer.status).toBe(403)
  })

  test('the own origin is not', async () => {
    const answer = await api.post('/mcp', ping, headersOf({ Origin: 'https://market.example' }))
    expect([answer.status, messagesIn(answer.body)]).toEqual([200, [{ jsonrpc: '2.0', id: 7, result: {} }]])
    expect(answer.headers.get('cache-control')).toContain('no-')
  })
})

describe('what /mcp takes', () => {
  test.each([
    ['no JSON', '{', 400],
    ['an object that is no message', {}, 400],
    ['too many messages', Array.from({ length: 21 }, () => ping), 413],
    ['too many bytes', `"${'x'.repeat(70_000)}"`, 413],
  ])('%s is refused', async (_, body, status) => {
    expect((await api.post('/mcp', body, headersOf())).status).toBe(status)
  })

  test('no stream is opened: a GET and a DELETE are not allowed, a subscription is refused', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await api.app.request('/mcp', { method, headers: headersOf() })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta, notifications: { toolsListChanged: true } },
    }
    const modern = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' }
    const answer = await api.post('/mcp', listen, headersOf(modern))
    expect(answer.body.error).toMatchObject({ message: 'Subscription limit reached' })
  })
})

describe('the rate limit of reads', () => {
  let limited: TestApi
  beforeAll(async () => {
    const behind = { TRUSTED_PROXIES: '10.0.0.1', PUBLIC_BASE_URL: 'https://market.example' }
    limited = await startTestApi({ READS_PER_MINUTE: '12', ...behind })
  })
  afterAll(() => limited.stop())

  /** Requests of one client. */
  const from = (client: string) => {
    const send = (path: string, init: RequestInit, headers: Record<string, string>) =>
      limited.app.request(
        path,
        { ...init, headers: { ...headersOf({ 'X-Forwarded-For': client }), ...headers } },
        { incoming: { socket: { remoteAddress: '10.0.0.1', remotePort: 1, remoteFamily: 'IPv4' } } },
      )
    return {
      left: async () => {
        const { headers } = await send('/api/network', {}, {})
        return Number(/"reads";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
      },
      post: (body: unknown, headers: Record<string, string> = {}) =>
        send(
          '/mcp',
          { method: 'POST', body: JSON.stringify(body) },
          { 'Content-Type': 'application/json', ...headers },
        ),
    }
  }

  test('counts every call and every other message once, of its client alone', async () => {
    const { left, post } = from('192.0.2.1')
    expect(await left()).toBe(11)
    await post(call('getTaskStats', {}))
    expect(await left()).toBe(9)
    await post(ping)
    expect(await left()).toBe(7)
    // One that comes to no request, one of no tool, and one that the route refuses.
    const batch = [call('getTask', {}, 1), call('nothing', {}, 2), call('listTasks', { tag: 'x' }, 3)]
    expect(await (await post(batch)).json()).toHaveLength(3)
    expect(await left()).toBe(3)
    expect(await from('192.0.2.2').left()).toBe(11)
  })

  test('counts calls that reach no tool, as those that the protocol refuses', async () => {
    const { post } = from('192.0.2.3')
    const incomplete = { ...call('getTaskStats', {}), params: {} }
    const notice = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'getTaskStats' } }
    const modern = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'getTaskStats' }
    for (let times = 0; times < 4; times++) {
      await post([incomplete, notice])
      await post(call('getTaskStats', {}), modern)
    }
    expect((await post(ping)).status).toBe(429)
  })

  test('refuses what is beyond it: calls one by one, other messages as a request', async () => {
    const { post } = from('192.0.2.4')
    const results = messagesIn(
      await (await post(Array.from({ length: 15 }, (_, id) => call('getTaskStats', {}, id)))).json(),
    )
    expect(results).toHaveLength(15)
    const refused = results.filter(({ result }) => result?.isError === true)
    expect(refused).toHaveLength(3)
    for (const { result } of refused) expect(result?.content[0]?.text).toContain('Too many requests')
    const answer = await post(ping)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  })
})

describe('the form of an answer', () => {
  test.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    [undefined, 'application/json'],
    ['text/html, */*;q=0.8', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'application/json'],
    ['application/json;q=0, text/event-stream', 'text/event-stream'],
    ['application/json;q=0', 'text/event-stream'],
    ['application/json;q=0.2, text/event-stream; q=0.9', 'text/event-stream'],
    ['text/event-stream;q=0.2, */*', 'application/json'],
    ['application/json;q=0, */*;q=0.1', 'text/event-stream'],
  ])('is by Accept: %s, for both eras', async (accept, type) => {
    const modern = {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'getTaskStats',
    }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const { params, ...message } = call('getTaskStats', {})
    for (const [body, headers] of [
      [call('getTaskStats', {}), {}],
      [{ ...message, params: { ...params, _meta } }, modern],
    ] as const) {
      const request = new Request('http://market.example/mcp', {
        method: 'POST',
        headers: {
          Host: 'market.example',
          'Content-Type': 'application/json',
          ...headers,
          ...(accept !== undefined && { Accept: accept }),
        },
        body: JSON.stringify(body),
      })
      const answer = await api.app.request(request)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
      const text = await answer.text()
      const messages = messagesIn(type === 'application/json' ? JSON.parse(text) : text)
      expect(messages).toMatchObject([{ id: 1, result: { content: [{ type: 'text' }] } }])
    }
  })

  test('an argument __proto__ is refused by its name', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listTasks","arguments":{"__proto__":1}}}`
    const answer = await api.post('/mcp', body, headersOf())
    expect(answer.body.result).toMatchObject({ isError: true })
    expect(answer.body.result.content[0].text).toContain('"path":"__proto__"')
  })

  test('several messages are one JSON array, or an event each', async () => {
    const batch = [call('getTaskStats', {}, 1), call('getNetwork', {}, 2)]
    const json = await api.post('/mcp', batch, headersOf({ Accept: 'application/json' }))
    expect(json.body.map(({ id }: { id: number }) => id).toSorted()).toEqual([1, 2])
  })
})

describe('the parameters of /mcp', () => {
  test.each([
    ['?tools=analyst', 200],
    ['?tools=everything', 400],
    ['?tool=all', 400],
    ['?structured=yes', 400],
    ['?tools=analyst&tools=all', 400],
    ['?structured=1&structured=1', 400],
  ])('%s is answered %i', async (query, status) => {
    const answer = await api.post(`/mcp${query}`, { ...ping, method: 'tools/list' }, headersOf({ Accept: '*/*' }))
    expect(answer.status).toBe(status)
    if (status === 200)
      expect(answer.body.result.tools.map(({ name }: { name: string }) => name)).toContain('listLeaderboard')
    else expect(answer.body.error.message).toMatch(/tools|structured/)
  })

  test('a tool that is not listed can be called', async () => {
    const answer = await api.post('/mcp', call('listLeaderboard', {}), headersOf({ Accept: '*/*' }))
    expect(answer.body.result.isError).toBeUndefined()
  })
})
