import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpServer, finishedRequests } from '../../../api/server/http-server.ts'
import { shutDown } from '../../../api/shutdown.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aSignedUpload, type SignedUpload, type UploadOptions } from '../../support/signed-upload.ts'
import { aStartedApi } from '../writes/started-api.ts'

const STALL_MS = 1000
const settings = { UPLOAD_STALL_MS: `${STALL_MS}`, UPLOAD_LIMIT_MS: '60000' }

const api = aStartedApi(settings)
let server: Server
beforeAll(async () => {
  server = await aServer(api)
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

async function aServer({ app, deps }: TestApi, bodyTimeout = 60_000): Promise<Server> {
  const made = createHttpServer(app, { hostname: '127.0.0.1', log: deps.log, bodyTimeout })
  await once(made.listen(0, '127.0.0.1'), 'listening')
  return made
}

const anUpload = (options: UploadOptions = {}) => aSignedUpload(api.deps, options)

/** A connection, and what came over it so far. */
function aClient(to: Server = server) {
  const socket = connect((to.address() as AddressInfo).port, '127.0.0.1')
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  // The server may end it in the middle.
  socket.on('error', () => {})
  return {
    socket,
    send: (bytes: string | Buffer) => socket.write(bytes),
    /** Everything that comes until the connection ends. */
    ending: async () => {
      if (!socket.closed) await once(socket, 'close')
      return heard
    },
    heard: async (pattern: RegExp) => {
      while (!pattern.test(heard)) await once(socket, 'data')
      return heard
    },
  }
}

const head = ({ target }: Pick<SignedUpload, 'target'>, ...lines: string[]) =>
  [`PUT ${target} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n')
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

async function incoming(of: TestApi = api): Promise<string[]> {
  return await readdir(join(of.deps.config.ARTIFACT_DIR, 'incoming')).catch(() => [])
}

/** Resolves when the service has begun to keep a body. */
async function begun(of: TestApi = api): Promise<void> {
  await expect.poll(() => incoming(of), { interval: 5 }).toHaveLength(1)
}

async function expectNothingKept({ id }: SignedUpload): Promise<void> {
  expect(await api.deps.storage.stat({ area: 'uploads', id })).toBeNull()
  expect(await incoming()).toEqual([])
}

async function sizeOf({ id }: SignedUpload): Promise<number | null> {
  return (await api.deps.storage.stat({ area: 'uploads', id }))?.sizeBytes ?? null
}

test('given a connection that drops in the middle, then nothing is kept, and the URL works again', async () => {
  const upload = await anUpload()
  const { socket, send } = aClient()
  send(`${head(upload, 'Content-Length: 10')}01234`)
  await begun()
  socket.destroy()
  await expect.poll(() => incoming(), { interval: 5 }).toEqual([])
  await finishedRequests(server)
  await expectNothingKept(upload)
  const again = aClient()
  again.send(`${head(upload, 'Content-Length: 10', 'Connection: close')}0123456789`)
  expect(await again.ending()).toMatch(/^HTTP\/1\.1 200 (.|\r\n)*{"sizeBytes":10}$/)
})

test('given a client that stops sending, then 408 in the layout of all errors, and nothing is kept', async () => {
  const upload = await anUpload()
  const { send, ending } = aClient()
  send(`${head(upload, 'Content-Length: 10')}01234`)
  const answer = await ending()
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
    error: 'The body came too slowly; nothing was kept.',
    code: 'BAD_REQUEST',
    service: expect.objectContaining({ reason: 'unclassified', detail: 'body_too_slow' }),
  })
  await expectNothingKept(upload)
})

test('given a client that sends drop by drop, then 408 long before its body is whole', async () => {
  const upload = await anUpload({ sizeBytes: 1_000_000 })
  const { socket, send, ending } = aClient()
  send(head(upload, 'Content-Length: 1000000'))
  const drops = setInterval(() => send('x'), STALL_MS / 20)
  socket.once('close', () => clearInterval(drops))
  expect(await ending()).toMatch(/^HTTP\/1\.1 408 /)
  await expectNothingKept(upload)
})

test('given a client that makes progress, then it may take longer than any other request', async () => {
  const limit = 1000
  const steady = await startTestApi({ ...settings, UPLOAD_STALL_MS: '60000', ANSWER_LIMIT_MS: `${limit}` })
  const itsServer = await aServer(steady, limit)
  const upload = await aSignedUpload(steady.deps, { sizeBytes: 10 * 65_536 })
  const { send, ending } = aClient(itsServer)
  send(head(upload, 'Content-Length: 655360', 'Connection: close'))
  const part = Buffer.alloc(65_536)
  const begunAt = performance.now()
  let sent = 0
  const parts = setInterval(() => {
    send(part)
    sent += 1
    if (sent === 10) clearInterval(parts)
  }, limit / 5)
  expect(await ending()).toMatch(/^HTTP\/1\.1 200 /)
  expect(performance.now() - begunAt).toBeGreaterThan(limit)
  expect(await steady.deps.storage.stat({ area: 'uploads', id: upload.id })).toMatchObject({ sizeBytes: 655_360 })
  itsServer.close()
  await steady.stop()
})

test('given an upload that is steady and too long, then 408 all the same', async () => {
  const hasty = await startTestApi({ ...settings, UPLOAD_LIMIT_MS: '300', UPLOAD_STALL_MS: '10000' })
  const itsServer = await aServer(hasty)
  const upload = await aSignedUpload(hasty.deps, { sizeBytes: 1_000_000 })
  const { socket, send, ending } = aClient(itsServer)
  send(head(upload, 'Content-Length: 1000000'))
  const drops = setInterval(() => send('x'.repeat(1000)), 20)
  socket.once('close', () => clearInterval(drops))
  expect(await ending()).toMatch(/^HTTP\/1\.1 408 (.|\r\n)*too long to come whole/)
  itsServer.close()
  await hasty.stop()
})

test('given chunks of every size, then the bytes are stored', async () => {
  const upload = await anUpload()
  const { send, ending } = aClient()
  send(head(upload, 'Transfer-Encoding: chunked', 'Connection: close'))
  for (const text of ['0', '1234', '56789']) send(chunk(text))
  send('0\r\n\r\n')
  expect(await ending()).toMatch(/^HTTP\/1\.1 200 /)
  expect(await sizeOf(upload)).toBe(10)
})

test('given a client that waits to be asked for the bytes, then it is asked once the URL is known to be good', async () => {
  const upload = await anUpload()
  const expecting = ['Expect: 100-continue', 'Content-Length: 10', 'Connection: close']
  const { send, heard, ending } = aClient()
  send(head(upload, ...expecting))
  expect(await heard(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  send('0123456789')
  expect(await ending()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)

  const tooLate = aClient()
  tooLate.send(head(upload, ...expecting))
  expect(await tooLate.ending()).toMatch(/^HTTP\/1\.1 409 /)
})

test('given an upload while the process is asked to end, then it is over when the process is, and nothing is kept', async () => {
  const ending = await startTestApi({
    ...settings,
    UPLOAD_STALL_MS: '60000',
    SHUTDOWN_DRAIN_MS: '0',
    SHUTDOWN_MS: '3000',
  })
  const itsServer = await aServer(ending)
  const [quick, slow] = [await aSignedUpload(ending.deps), await aSignedUpload(ending.deps)]
  const clients: { socket: Socket; send: (bytes: string) => unknown; ending: () => Promise<string> }[] = []
  for (const upload of [quick, slow]) {
    const client = aClient(itsServer)
    clients.push(client)
    client.send(`${head(upload, 'Content-Length: 10')}01234`)
  }
  await expect.poll(() => incoming(ending), { interval: 5 }).toHaveLength(2)
  const loops = { stop: async () => {} } as Parameters<typeof shutDown>[0]['loops']
  const over = shutDown({ deps: ending.deps, loops, server: itsServer, otherServers: [] })
  clients[0]?.send('56789')
  expect(await clients[0]?.ending()).toMatch(/^HTTP\/1\.1 200 /)
  await over
  await expect.poll(() => incoming(ending)).toEqual([])
  expect(await clients[1]?.ending()).toBe('')
  const { storage } = ending.deps
  expect(await storage.stat({ area: 'uploads', id: quick.id })).toMatchObject({ sizeBytes: 10 })
  expect(await storage.stat({ area: 'uploads', id: slow.id })).toBeNull()
  await ending.stop()
})
