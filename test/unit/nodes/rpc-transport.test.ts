import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, http } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { rpcTransport } from '../../../scripts/contracts/rpc-transport.ts'

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A node that answers as a test defines, and counts. */
async function aNode(handler: Handler) {
  const seen = { requests: 0, connections: 0 }
  const server = createServer(async (request, response) => {
    seen.requests += 1
    const body = Buffer.concat(await request.toArray()).toString()
    handler(Object.assign(request, { body }), response)
  })
  server.on('connection', () => {
    seen.connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const answer =
  (text: string, { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {}): Handler =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
const error = (code: number) => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no', data: '0x08' } })

const answers: [name: string, handler: Handler][] = [
  ['a result', answer('{"jsonrpc":"2.0","id":1,"result":"0x2105"}')],
  [
    'a result in no content type',
    answer('{"jsonrpc":"2.0","id":1,"result":"0x2105"}', { headers: { 'Content-Type': '' } }),
  ],
  ...['null', 'false', '0', '""'].map((none): [string, Handler] => [
    `a result with the error ${none}`,
    answer(`{"jsonrpc":"2.0","id":1,"error":${none},"result":"0x2105"}`),
  ]),
  ['a result of null', answer('{"jsonrpc":"2.0","id":1,"error":null,"result":null}')],
  ['an execution that reverts', answer(error(3))],
  ['an error of the server', answer(error(-32000))],
  ['an internal error', answer(error(-32603))],
  ['too many requests', answer(error(-32005))],
  ['an unknown method', answer(error(-32601))],
  ['an error of JSON-RPC with the status 400', answer(error(-32602), { status: 400 })],
  ['the status 404 with a text', answer('not here', { status: 404, headers: { 'Content-Type': 'text/plain' } })],
  ['the status 503', answer('{"message":"busy"}', { status: 503 })],
  ['a page', answer('<html>', { headers: { 'Content-Type': 'text/html' } })],
  ['JSON that is cut', answer('{"jsonrpc":"2.0","id":1,"res')],
  ['too much', answer(`{"jsonrpc":"2.0","id":1,"result":"${'a'.repeat(10_485_760)}"}`)],
  ['nothing', (_, response) => response.destroy()],
  [
    'a part of an answer',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
      response.write('{"jsonrpc"', () => response.destroy())
    },
  ],
]
const silence: Handler = () => {}

/** Ten megabytes take their time on a busy machine. */
const patient = { retryCount: 1, retryDelay: 1, timeout: 20_000 }
const options = { ...patient, timeout: 200 }

/** The result, or the errors that a client is given, from the outermost to the first. */
async function outcomeOf(transport: ReturnType<typeof http>): Promise<unknown> {
  const client = createPublicClient({ transport })
  try {
    return await client.request({ method: 'eth_chainId' })
  } catch (thrown) {
    const { name, code, status, data } = thrown as Error & { code?: number; status?: number; data?: unknown }
    const { cause } = thrown as { cause?: { name?: string; code?: number; data?: unknown } }
    const ofRpc = cause?.name === 'RpcRequestError' ? { code: cause.code, data: cause.data } : null
    return { name, code, status, data, ofRpc }
  }
}

test.each([
  ...answers.map(([name, handler]) => [name, handler, patient] as const),
  ['silence', silence, options] as const,
])(
  'given %s, then a client is given what viem’s own transport gives it, after as many requests',
  async (_, handler, how) => {
    const [ours, viems] = [await aNode(handler), await aNode(handler)]
    const outcome = await outcomeOf(rpcTransport(ours.url, how) as ReturnType<typeof http>)
    expect(outcome).toEqual(await outcomeOf(http(viems.url, how)))
    expect(ours.seen.requests).toBe(viems.seen.requests)
  },
)

test('given silence after a part of the answer, then the time is over all the same, for which viem’s own would wait without end', async () => {
  const { url, seen } = await aNode((_, response) => response.write('{"jsonrpc"'))
  const outcome = await outcomeOf(rpcTransport(url, options) as ReturnType<typeof http>)
  expect(outcome).toMatchObject({ name: 'TimeoutError' })
  expect(seen.requests).toBe(2)
})

test('given one request after the other, then all use one connection; given some at once, then one each', async () => {
  const { url, seen } = await aNode(answer('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))
  const client = createPublicClient({ transport: rpcTransport(url) })
  for (let sent = 0; sent < 5; sent += 1) await client.request({ method: 'eth_chainId' })
  expect(seen).toEqual({ requests: 5, connections: 1 })
  await Promise.all([1, 2, 3].map(() => client.request({ method: 'eth_blockNumber' }, { dedupe: false })))
  expect(seen.connections).toBeLessThanOrEqual(3)
})

/** Asks a node that asks to wait at first. @returns when the result came, milliseconds */
async function timeOfResult(retryAfter: string, timeout: number): Promise<number> {
  const { url, seen } = await aNode((request, response) => {
    const wait = answer('{}', { status: 429, headers: { 'Retry-After': retryAfter } })
    const result = answer('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    ;(seen.requests === 1 ? wait : result)(request, response)
  })
  const client = createPublicClient({ transport: rpcTransport(url, { ...options, timeout }) })
  const start = performance.now()
  expect(await client.request({ method: 'eth_chainId' })).toBe('0x1')
  return performance.now() - start
}

test('given a node that asks to wait, then the request is sent again after that time', async () => {
  expect(await timeOfResult('1', 5_000)).toBeGreaterThan(990)
})

test.each(['3600', '3000000', '-5', 'Fri, 31 Dec 2100 23:59:59 GMT'])(
  'given a node that asks to wait for %s, then it is asked again within the time of an answer',
  async (pause) => {
    expect(await timeOfResult(pause, 1_000)).toBeLessThan(5_000)
  },
)

test('given a node that changes the protocol, then the request fails at once', async () => {
  const { url } = await aNode((_, response) => {
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  const start = performance.now()
  expect(await outcomeOf(rpcTransport(url, { ...options, timeout: 20_000 }) as ReturnType<typeof http>)).toMatchObject({
    name: 'HttpRequestError',
  })
  expect(performance.now() - start).toBeLessThan(15_000)
})

test('given a URL with a login, then it is sent as Basic authentication, and not in the path', async () => {
  let authorization: string | undefined
  const { url } = await aNode((request, response) => {
    authorization = request.headers.authorization
    answer('{"jsonrpc":"2.0","id":1,"result":"0x1"}')(request, response)
  })
  const client = createPublicClient({ transport: rpcTransport(url.replace('//', '//name:pass%40word@')) })
  expect(await client.request({ method: 'eth_chainId' })).toBe('0x1')
  expect(authorization).toBe(`Basic ${btoa('name:pass@word')}`)
})
