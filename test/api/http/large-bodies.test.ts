import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import pino from 'pino'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { ArrivingBytes } from '../../../api/artifacts/byte-accounts.ts'
import { createFileHasher } from '../../../api/artifacts/hashing/file-hasher.ts'
import type { FileHasher } from '../../../api/artifacts/hashing/file-hashes.ts'
import { SpooledFile } from '../../../api/artifacts/received-file.ts'
import { anonymousFilesIn } from '../../../api/artifacts/temporary-file.ts'
import { renderError } from '../../../api/errors/render-error.ts'
import { type LargeBodiesOptions, largeBodiesOf, limitLargeBodies } from '../../../api/http/bodies/large-bodies.ts'
import { readJsonBody } from '../../../api/http/bodies/read-json-body.ts'
import { countOpenIn } from '../../support/open-files.ts'
import { readAll } from '../../support/read-all.ts'

const LIMIT_BYTES = 3_200_000
const QUICK_CUT = {
  maxWaitingOfOne: 64,
  longestMs: 60_000,
  slots: 2,
  maxWaiting: 64,
  floorBytesPerSecond: 400_000,
  windowMs: 20,
  checkMs: 5,
}

/** The count of a request whose client may store any number of bytes. */
const uncounted: ArrivingBytes = {
  id: '00000000-0000-4000-8000-000000000000',
  client: 'one',
  reserve: async () => undefined,
  settle: () => undefined,
  close: async () => undefined,
}

const directory = await mkdtemp(join(tmpdir(), 'task-market-spool-'))
const real = createFileHasher()
afterAll(async () => {
  await real.stop()
  await rm(directory, { recursive: true })
})

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  expect(await countOpenIn(directory)).toBe(0)
})

/** A service that answers a small body, takes any large one, and says what each file of a body is, and keeps the last one. */
async function start(options: Partial<LargeBodiesOptions> = {}) {
  const kept: SpooledFile[] = []
  const app = new Hono()
    .use(
      limitLargeBodies({
        hasher: real,
        openAnonymous: anonymousFilesIn(directory),
        clientIp: () => 'one',
        countBytes: () => uncounted,
        ...options,
      }),
    )
    .post('/small', async (c) => c.json(await readJsonBody(c)))
    .post('/large', async (c) => {
      const body = (await readJsonBody(c, LIMIT_BYTES)) as { files: unknown[] }
      const files = body.files.filter((file) => file instanceof SpooledFile)
      kept.push(...files)
      const read = await Promise.all(files.map((file) => readAll(file.bytes())))
      return c.json(files.map((file, index) => ({ hashes: file.hashes, read: sha256(read[index] ?? Buffer.of()) })))
    })
    .post('/any', async (c) => c.json((await readJsonBody(c, LIMIT_BYTES)) !== undefined))
    .post('/throws', async (c) => {
      await readJsonBody(c, LIMIT_BYTES)
      throw new Error('after the body')
    })
  app.onError((error, c) => renderError(c, error, { log: pino({ level: 'silent' }), publicBaseUrl: null }))
  const server = createAdaptorServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  ends.push(async () => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { app, url: `http://127.0.0.1:${address.port}`, kept }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const bodyOf = (...files: Buffer[]) => JSON.stringify({ files: files.map((file) => file.toString('base64')) })

async function post(url: string, body: RequestInit['body'], headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  return { status: response.status, body: await response.json() }
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

/** A request that has sent so much of a body and goes on when it is told to. */
function begin(url: string, { promised, sent }: { promised: number; sent: string }) {
  const begun: ClientRequest = request(url, { method: 'POST', headers: { 'Content-Length': promised } })
  const status = new Promise<number>((resolve) => {
    begun.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    begun.on('error', () => resolve(0))
  })
  begun.write(sent)
  return { begun, status }
}

/** The hashing thread, but each file waits for the test; how many at once. */
function aGate() {
  const waiting: (() => void)[] = []
  const hasher: FileHasher = {
    ...real,
    hash: async (bytes) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return await real.hash(bytes)
    },
  }
  return { waiting, hasher }
}

test('three large bodies at once arrive whole, each with its own files', async () => {
  const { url } = await start()
  const sent = Array.from({ length: 3 }, () => [randomBytes(1_500_000), randomBytes(800_000), randomBytes(60_000)])
  const answers = await Promise.all(sent.map((files) => post(`${url}/large`, bodyOf(...files))))
  expect(answers).toEqual(
    sent.map((files) => ({
      status: 200,
      body: files.map((file) => ({
        hashes: { sizeBytes: file.length, sha256Hash: sha256(file), keccak256Hash: expect.stringMatching(/^0x/) },
        read: sha256(file),
      })),
    })),
  )
})

test('two large bodies are read at once; the next waits for its turn, small ones do not', async () => {
  const { waiting, hasher } = aGate()
  const { url } = await start({ hasher })
  const answers = Array.from({ length: 5 }, () => post(`${url}/large`, bodyOf(randomBytes(1_200_000))))
  for (let served = 0; served < 5; served += 1) {
    await expect.poll(() => waiting.length, { interval: 5 }).toBe(Math.min(2, 5 - served))
    expect((await post(`${url}/small`, '{}')).status).toBe(200)
    expect(waiting.length).toBe(Math.min(2, 5 - served))
    waiting.shift()?.()
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

test('a client that stops sending loses its slot to one that waits, and keeps it while none does', async () => {
  const { url } = await start({ limits: QUICK_CUT })
  const slow = [1, 2].map(() =>
    begin(`${url}/large`, { promised: 2_000_000, sent: `{"files":["${'A'.repeat(500_000)}` }),
  )
  await expect.poll(() => countOpenIn(directory), { interval: 5 }).toBe(2)
  expect(await post(`${url}/large`, bodyOf(randomBytes(1_200_000)))).toMatchObject({ status: 200 })
  const statuses = slow.map(({ status }) => status)
  expect(await Promise.race(statuses)).toBe(408)
  for (const { begun } of slow) begun.destroy()
  await Promise.all(statuses)
  await expect.poll(() => countOpenIn(directory), { interval: 5 }).toBe(0)
})

test('a body that breaks off anywhere leaves no file open', async () => {
  const { url } = await start()
  const body = bodyOf(randomBytes(600_000), randomBytes(600_000))
  for (const part of [0.01, 0.3, 0.5, 0.7, 0.999]) {
    const sent = body.slice(0, body.length * part)
    const { begun, status } = begin(`${url}/large`, { promised: body.length, sent })
    await expect.poll(() => countOpenIn(directory), { interval: 5 }).toBe(part < 0.3 ? 0 : 1)
    begun.destroy()
    await status
    await expect.poll(() => countOpenIn(directory), { interval: 5 }).toBe(0)
  }
})

test('a body that is refused in the end leaves no file open', async () => {
  const { url } = await start()
  const file = randomBytes(400_000)
  const tooLong = JSON.stringify({ files: [file.toString('base64')], rest: 'x y '.repeat(LIMIT_BYTES / 4) })
  const cases: [string, string, number][] = [
    ['/large', tooLong, 413],
    ['/large', `${bodyOf(file)}}`, 400],
    ['/throws', bodyOf(file), 500],
  ]
  for (const [path, body, status] of cases) {
    expect((await post(`${url}${path}`, body)).status).toBe(status)
    expect(await countOpenIn(directory)).toBe(0)
  }
})

test('a file is not there any more once its request has been answered', async () => {
  const { url, kept } = await start()
  expect(await post(`${url}/large`, bodyOf(randomBytes(400_000)))).toMatchObject({ status: 200 })
  const [file] = kept as [SpooledFile]
  await expect(readAll(file.bytes())).rejects.toThrow('is over')
})

test('a request without a body opens nothing, and one that is over gets no file', async () => {
  let counted = 0
  const countBytes = () => {
    counted += 1
    return uncounted
  }
  let late: (() => Promise<void>) | undefined
  const options = { hasher: real, openAnonymous: anonymousFilesIn(directory), clientIp: () => 'one', countBytes }
  const app = new Hono().use(limitLargeBodies(options)).get('/', (c) => {
    late = async () => {
      const { spool } = largeBodiesOf(c)
      spool.append(randomBytes(10))
      await spool.flush({ all: true })
    }
    return c.text('')
  })
  await app.request('/')
  expect(counted).toBe(0)
  await expect(late?.()).rejects.toThrow('the request of these files is over')
})

test('a disk without room for a file is 507', async () => {
  const { url } = await start({ openAnonymous: () => open('/dev/full', 'r+') })
  expect(await post(`${url}/large`, bodyOf(randomBytes(400_000)))).toMatchObject({
    status: 507,
    body: { code: 'INSUFFICIENT_STORAGE' },
  })
})

const jsonOfLength = (length: number) => JSON.stringify('x'.repeat(length - 2))

test('takes a body of exactly the limit and refuses one byte more, with a length and without', async () => {
  const { url } = await start()
  const largest = jsonOfLength(1_000_000)
  for (const body of [largest, chunked(largest)]) expect((await post(`${url}/small`, body)).status).toBe(200)
  for (const body of [`${largest} `, chunked(`${largest} `)]) {
    const answer = await post(`${url}/small`, body)
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', service: { reason: 'unclassified' } },
    })
  }
})

test('a route may take more, up to its own limit', async () => {
  const { url } = await start()
  expect(await post(`${url}/any`, chunked(jsonOfLength(LIMIT_BYTES)))).toMatchObject({ status: 200 })
  expect(await post(`${url}/any`, chunked(`${jsonOfLength(LIMIT_BYTES)} `))).toMatchObject({ status: 413 })
})

test('a promised length above the limit is refused before the body is read', async () => {
  const { app, url } = await start()
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
  const { url } = await start()
  expect(await post(`${url}/small`, body)).toMatchObject({ status: 400, body: { service: { reason: 'unclassified' } } })
})

test('an empty body is an empty object, and a byte order mark does not matter', async () => {
  const { url } = await start()
  expect(await post(`${url}/small`, '')).toEqual({ status: 200, body: {} })
  expect(await post(`${url}/small`, '\ufeff{"a":1}')).toEqual({ status: 200, body: { a: 1 } })
})

test('a __proto__ key stays a key', async () => {
  const { url } = await start()
  const answer = await post(
    `${url}/small`,
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  )
  expect(answer.status).toBe(200)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('an encoded body is refused, unread', async () => {
  const { url } = await start()
  const zipped = gzipSync(jsonOfLength(100))
  expect(await post(`${url}/small`, new Uint8Array(zipped), { 'Content-Encoding': 'gzip' })).toMatchObject({
    status: 415,
    body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
  })
  expect((await post(`${url}/small`, '{}', { 'Content-Encoding': 'identity' })).status).toBe(200)
})

test.each([
  ['no JSON', 'hello'],
  ['a cut text', `{"a":"${'A'.repeat(100_000)}`],
  ['a line break in a long text', `"${'A'.repeat(70_000)}\n"`],
  ['a million brackets', '['.repeat(900_000)],
])('a route that takes more refuses %s with 400, too', async (_, body) => {
  const { url } = await start()
  expect(await post(`${url}/any`, body)).toMatchObject({ status: 400, body: { service: { reason: 'unclassified' } } })
})

test('a route that takes more takes only so much besides its files', async () => {
  const { url } = await start()
  const rest = (length: number) => JSON.stringify(Array.from({ length: length / 2 - 1 }, () => 0))
  expect(await post(`${url}/any`, rest(1_900_000))).toMatchObject({ status: 200 })
  expect(await post(`${url}/any`, rest(2_100_000))).toMatchObject({
    status: 413,
    body: { error: 'The body apart from its files is larger than 2000000 bytes.' },
  })
})
