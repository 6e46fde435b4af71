import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileHasher } from '../../../api/artifacts/hashing/file-hasher.ts'
import { anonymousFilesIn } from '../../../api/artifacts/temporary-file.ts'
import { renderError } from '../../../api/errors/render-error.ts'
import { limitLargeBodies } from '../../../api/http/bodies/large-bodies.ts'
import { readJsonBody } from '../../../api/http/bodies/read-json-body.ts'
import { uncounted } from './uncounted-bytes.ts'

const LARGE_LIMIT = 3_000_000

const hasher = createFileHasher()
const directory = await mkdtemp(join(tmpdir(), 'task-market-spool-'))

const app = new Hono()
  .use(
    limitLargeBodies({
      hasher,
      openAnonymous: anonymousFilesIn(directory),
      clientIp: () => 'one',
      countBytes: () => uncounted,
    }),
  )
  .post('/small', async (c) => c.json({ got: await readJsonBody(c) }))
  .post('/large', async (c) => c.json({ got: await readJsonBody(c, LARGE_LIMIT) }))
app.onError((error, c) => renderError(c, error, { log: pino({ level: 'silent' }), publicBaseUrl: null }))

const server = createAdaptorServer(app)
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await hasher.stop()
  await rm(directory, { recursive: true })
})

const post = async (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}${path}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  return { status: response.status, body: (await response.json()) as { code?: string; service?: { reason: string } } }
}

/** A body without a length of its own: chunked transfer. */
function chunked(text: string, size = 65_536): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(sent, sent + size))
      sent += size
    },
  })
}

const jsonOfLength = (length: number) => JSON.stringify('x'.repeat(length - 2))

test('takes a body of exactly the limit and refuses one byte more, with a length and without', async () => {
  const largest = jsonOfLength(1_000_000)
  for (const body of [largest, chunked(largest)]) expect((await post('/small', body)).status).toBe(200)
  for (const body of [`${largest} `, chunked(`${largest} `)]) {
    const answer = await post('/small', body)
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', service: { reason: 'unclassified' } },
    })
  }
})

test('a route may take more, up to its own limit', async () => {
  expect(await post('/large', chunked(jsonOfLength(LARGE_LIMIT)))).toMatchObject({ status: 200 })
  expect(await post('/large', chunked(`${jsonOfLength(LARGE_LIMIT)} `))).toMatchObject({ status: 413 })
})

test('a promised length above the limit is refused before the body is read', async () => {
  const request = new Request(`${url}/small`, { method: 'POST', body: 'x', headers: { 'Content-Length': '1000001' } })
  const unread = app.request(request)
  expect((await unread).status).toBe(413)
  expect(request.bodyUsed).toBe(false)
})

test.each([
  ['no JSON', 'hello'],
  ['a cut body', '{"a":'],
  ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ['a form', new URLSearchParams({ a: 'b' })],
  ['two values', '{}{}'],
  ['NaN', 'NaN'],
  ['a million brackets', '['.repeat(900_000)],
])('refuses %s with 400', async (_, body) => {
  expect(await post('/small', body)).toMatchObject({ status: 400, body: { service: { reason: 'unclassified' } } })
})

test('an empty body is an empty object, and a byte order mark does not matter', async () => {
  expect(await post('/small', '')).toEqual({ status: 200, body: { got: {} } })
  expect(await post('/small', '\ufeff{"a":1}')).toEqual({ status: 200, body: { got: { a: 1 } } })
})

test('a __proto__ key stays a key', async () => {
  const answer = await post('/small', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  expect(answer.status).toBe(200)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('an encoded body is refused, unread', async () => {
  const zipped = gzipSync(jsonOfLength(100))
  expect(await post('/small', new Uint8Array(zipped), { 'Content-Encoding': 'gzip' })).toMatchObject({
    status: 415,
    body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
  })
  expect((await post('/small', '{}', { 'Content-Encoding': 'identity' })).status).toBe(200)
})

test.each([
  ['no JSON', 'hello'],
  ['a cut text', `{"a":"${'A'.repeat(100_000)}`],
  ['a line break in a long text', `"${'A'.repeat(70_000)}\n"`],
  ['a million brackets', '['.repeat(900_000)],
])('a route that takes more refuses %s with 400, too', async (_, body) => {
  expect(await post('/large', body)).toMatchObject({ status: 400, body: { service: { reason: 'unclassified' } } })
})

test('a route that takes more takes only so much besides its files', async () => {
  const rest = (length: number) => JSON.stringify(Array.from({ length: length / 2 - 1 }, () => 0))
  expect(await post('/large', rest(1_900_000))).toMatchObject({ status: 200 })
  expect(await post('/large', rest(2_100_000))).toMatchObject({
    status: 413,
    body: { error: 'The body apart from its files is larger than 2000000 bytes.' },
  })
})
