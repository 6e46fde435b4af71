import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { liftBodyDeadline } from '../../../api/http/bodies/body-deadline.ts'
import { createHttpServer } from '../../../api/server/http-server.ts'

/** Requests to `/held` that wait for the test. */
const held: (() => void)[] = []

const app = new Hono<{ Bindings: HttpBindings }>()
  .get('/held', async (c) => {
    await new Promise<void>((resolve) => held.push(resolve))
    return c.text('done')
  })
  .get('/deaf', () => new Promise<Response>(() => {}))
  .post('/slow', async (c) => {
    liftBodyDeadline(c.env.incoming)
    return c.text(await c.req.text())
  })
  .post('/body', async (c) => c.text(await c.req.text()))
  .all('*', (c) => c.text(`${c.req.method} ${c.req.path}`))

// A body that breaks off is not reported.
app.onError((_, c) => c.text('', 500))

let server: Server
beforeAll(async () => {
  server = createHttpServer(app as unknown as Hono, {
    hostname: '127.0.0.1',
    log: pino({ level: 'silent' }),
    headersTimeout: 100,
    bodyTimeout: 200,
    publicBaseUrl: 'https://market.example',
    requestTimeout: 60_000,
    connectionsCheckingInterval: 20,
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

/** Everything the server says to these bytes until it ends the connection. */
async function say(...parts: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return heard
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2).map((part) => part.toLowerCase())))
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const json = isChunked ? (body.split('\r\n')[1] ?? '') : body
  return { status: Number(statusLine.split(' ')[1]), headers, json }
}

const ended = 'Connection: close\r\n\r\n'

test.each<[what: string, bytes: string, status: number, detail?: string]>([
  ['bytes that are no HTTP', 'HELLO\r\n\r\n', 400],
  ['two lengths', `POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${ended}`, 400],
  [
    'headers beyond the limit',
    `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n${ended}`,
    431,
    'headers_too_large',
  ],
  ['chunk extensions beyond the limit', chunkExtensions(), 413, 'body_too_large'],
  ['headers that do not end', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'body_too_slow'],
  [
    'a body that is not read and does not end',
    'GET /deaf HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc',
    408,
    'body_too_slow',
  ],
  ['a body that does not end', 'POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 408, 'body_too_slow'],
  ['no host', `GET / HTTP/1.1\r\n${ended}`, 400],
  ['a host that is none', `GET / HTTP/1.1\r\nHost: a b\r\n${ended}`, 400],
  ['a target that is none', `GET *x HTTP/1.1\r\nHost: a\r\n${ended}`, 400],
  ['a broken absolute target', `GET http://[::1 HTTP/1.1\r\nHost: a\r\n${ended}`, 400],
])('%s: refused in the one layout of errors', async (_, bytes, status, detail = 'malformed_request') => {
  const answer = parse(await say(bytes))
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.json)).toEqual({
    error: expect.stringMatching(/^The .+\.$/),
    code: 'BAD_REQUEST',
    service: { reason: 'unclassified', detail, docs: `https://market.example/docs/errors/${detail}` },
  })
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
})

function chunkExtensions(): string {
  return `POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`
}

describe('what is unusual and no error', () => {
  test.each([
    ['HTTP/1.0 without a host', 'GET /path HTTP/1.0\r\n\r\n', 'GET /path'],
    ['an unknown expectation', `GET /path HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n${ended}`, 'GET /path'],
    ['an absolute target', `GET http://a/path HTTP/1.1\r\nHost: a\r\n${ended}`, 'GET /path'],
  ])('%s', async (_, bytes, body) => {
    const answer = await say(bytes)
    expect(parse(answer).status).toBe(200)
    expect(answer).toContain(body)
  })

  test('a body that is expected, by a route that refuses it', async () => {
    const answer = await say('POST /refused HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(parse(answer).headers).toMatchObject({ connection: 'close' })
    expect(answer).toMatch(/POST \/refused$/)
  })

  test('a body that is expected', async () => {
    const answer = await say(
      `POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${ended}`,
      'hi',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK(.|\r\n)*hi$/)
  })
})

test('a body that its reader takes its time with is not cut', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab')
  // Twice as long as others have.
  const [bystander] = await Promise.all([say('POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na')])
  expect(parse(bystander).status).toBe(408)
  socket.write('c')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK(.|\r\n)*abc$/)
  socket.destroy()
})

test('garbage behind a request that is being answered is not answered in its place', async () => {
  const heard = say('GET /held HTTP/1.1\r\nHost: a\r\n\r\n', 'garbage\r\n\r\n')
  expect(await heard).toBe('')
  expect(held).toHaveLength(1)
  held.pop()?.()
})

test('garbage behind a request that was answered is refused', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET /path HTTP/1.1\r\nHost: a\r\n\r\n')
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1\.1 200/)
  socket.write('garbage\r\n\r\n')
  const [second] = await once(socket, 'data')
  expect(String(second)).toMatch(/^HTTP\/1\.1 400(.|\r\n)*"reason":"unclassified"/)
  await once(socket, 'close')
})
