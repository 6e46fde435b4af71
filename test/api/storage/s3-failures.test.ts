import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  ObjectChangedError,
  type ObjectStore,
  StorageFullError,
  StorageUnavailableError,
} from '../../../api/artifacts/storage/object-store.ts'
import { createS3Store } from '../../../api/artifacts/storage/s3.ts'
import { anArtifact, anUpload, putText, readText } from '../../support/object-store-contract.ts'

const SILENCE_MS = 300
const SECRET = 'a secret access key'
const settings = { region: 'here', bucket: 'files', accessKeyId: 'key', secretAccessKey: SECRET }

type Script = (request: IncomingMessage, response: ServerResponse, index: number) => void

let server: Server | undefined
/** `PUT /bucket/artifacts/...`, one for each request that came. */
let seen: string[] = []
afterEach(stopServer)

/** Starts a storage service that behaves as a test wants it to, also in ways that no real one does on demand. */
async function startServer(answer: Script): Promise<string> {
  seen = []
  const answerNext = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`)
    answer(request, response, seen.length - 1)
  }
  server = createServer(answerNext)
  // Whether a body is asked for is the script's to say.
  server.on('checkContinue', answerNext)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function stopServer(): Promise<void> {
  if (server === undefined) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
  server = undefined
}

async function storeOn(answer: Script): Promise<ObjectStore> {
  const timeouts = { silenceMs: SILENCE_MS, copyMs: SILENCE_MS }
  return createS3Store({ ...settings, endpoint: await startServer(answer), timeouts })
}

const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`

async function takeBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  response.writeContinue()
  return await buffer(request)
}

const etagOf = (bytes: Buffer | string) => `"${createHash('md5').update(bytes).digest('hex')}"`

describe('a service that does not answer', () => {
  test('given no server on the port, then the storage is unavailable', async () => {
    const store = await storeOn(() => {})
    await stopServer()
    await expectUnavailable(store)
  })

  test('given one that never says a word, then it is unavailable after a while', async () => {
    await expectUnavailable(await storeOn(() => {}))
  })

  test('given one that asks for the body and then takes none of it, then a put ends, with little of it read', async () => {
    const store = await storeOn((_request, response) => response.writeContinue())
    const source = manyChunks(1_000)
    await expect(store.put(anArtifact(), source.bytes, 100_000_000)).rejects.toThrow(StorageUnavailableError)
    // What fits into the buffers of a connection.
    expect(source.taken()).toBeLessThan(300)
  })

  test('given one that begins an error and never ends it, then it is unavailable after a while', async () => {
    const store = await storeOn((_request, response) => response.writeHead(500, { 'Content-Length': 100 }).write('x'))
    await expect(store.open(anArtifact())).rejects.toThrow(StorageUnavailableError)
  })

  test.each([
    { does: 'stops', end: () => {} },
    { does: 'drops the connection', end: (response: ServerResponse) => response.destroy() },
  ])('given one that $does in the middle of an object, then reading fails with that', async ({ end }) => {
    const store = await storeOn((_request, response) => {
      response.writeHead(200, { 'Content-Length': 9 }).write('half', () => end(response))
    })
    await expect(readText(store, anArtifact())).rejects.toThrow(StorageUnavailableError)
  })

  test('given a reader that takes its time, then it is no trouble of the storage', async () => {
    const store = await storeOn((_request, response) => response.writeHead(200, { 'Content-Length': 4 }).end('here'))
    const stream = await store.open(anArtifact())
    // The time that passes is what is tested: twice as long as the service may be silent.
    await delay(2 * SILENCE_MS)
    expect(await new Response(stream).text()).toBe('here')
  })

  test('given a source that takes its time, then it is no trouble of the storage', async () => {
    const store = await storeOn(async (request, response) => {
      const bytes = await takeBody(request, response)
      response.writeHead(200, { ETag: etagOf(bytes) }).end()
    })
    const slow = async function* () {
      yield Buffer.from('ab')
      yield Buffer.from('cd')
      await delay(2 * SILENCE_MS)
      yield Buffer.from('ef')
    }
    await store.put(anArtifact(), slow(), 6)
  })
})

describe('a kept connection that is closed as it is taken again', () => {
  test.each([
    { call: 'stat', run: (store: ObjectStore) => store.stat(anArtifact()) },
    { call: 'put', run: (store: ObjectStore) => putText(store, anArtifact(), 'once') },
  ])('given a $call, then it is made again on another, once', async ({ run }) => {
    const store = await storeOn(async (request, response, index) => {
      if (index === 1) request.socket.destroy()
      else if (request.method === 'HEAD') response.writeHead(404, { 'Content-Length': 0 }).end()
      else response.writeHead(200, { ETag: etagOf(await takeBody(request, response)) }).end()
    })
    await store.stat(anArtifact())
    await run(store)
    expect(seen).toHaveLength(3)
  })

  test('given another that is closed too, then the storage is unavailable', async () => {
    const store = await storeOn((request, response, index) => {
      if (index === 0) response.writeHead(404, { 'Content-Length': 0 }).end()
      else request.socket.destroy()
    })
    await store.stat(anArtifact())
    await expect(store.stat(anArtifact())).rejects.toThrow(StorageUnavailableError)
    expect(seen).toHaveLength(3)
  })

  test('given a put whose bytes have begun, then it is not made again', async () => {
    const store = await storeOn(async (request, response, index) => {
      if (index === 0) response.writeHead(404, { 'Content-Length': 0 }).end()
      else {
        response.writeContinue()
        await once(request, 'data')
        request.socket.destroy()
      }
    })
    await store.stat(anArtifact())
    await expect(store.put(anArtifact(), manyChunks(50).bytes, 5_000_000)).rejects.toThrow(StorageUnavailableError)
    expect(seen).toHaveLength(2)
  })
})

describe('an answer that is no success', () => {
  test.each([
    { status: 507, code: 'InsufficientStorage' },
    { status: 507, code: 'XMinioStorageFull' },
    { status: 413, code: 'RequestEntityTooLarge' },
    { status: 400, code: 'EntityTooLarge' },
    { status: 403, code: 'QuotaExceeded' },
  ])('given $status $code, then the storage is full', async ({ status, code }) => {
    const store = await storeOn((_request, response) => response.writeHead(status).end(error(code)))
    await expect(putText(store, anArtifact(), 'x')).rejects.toThrow(StorageFullError)
    await expect(store.adopt(randomUUID(), randomUUID(), '"v"')).rejects.toThrow(StorageFullError)
  })

  test.each([
    { status: 500, code: 'InternalError' },
    { status: 503, code: 'SlowDown' },
    { status: 403, code: 'AccessDenied' },
    { status: 301, code: 'PermanentRedirect' },
    { status: 404, code: 'NoSuchBucket' },
    { status: 200, code: 'InternalError' },
  ])('given $status $code, then the storage is unavailable, and the cause says just that', async ({ status, code }) => {
    const store = await storeOn((_request, response) => {
      response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end(error(code))
    })
    const thrown = await store.adopt(randomUUID(), randomUUID(), '"v"').catch((thrown) => thrown)
    expect(thrown).toBeInstanceOf(StorageUnavailableError)
    expect(thrown.cause.message).toBe(`a copy was answered ${status} ${code}`)
  })

  test.each([
    { status: 412, code: 'PreconditionFailed' },
    { status: 200, code: 'PreconditionFailed' },
    { status: 404, code: 'NoSuchKey' },
  ])('given $status $code to a copy, then the upload has changed', async ({ status, code }) => {
    const store = await storeOn((_request, response) => response.writeHead(status).end(error(code)))
    await expect(store.adopt(randomUUID(), randomUUID(), '"v"')).rejects.toThrow(ObjectChangedError)
  })

  test('given an endless error, then it is not heard out', async () => {
    const store = await storeOn((_request, response) => {
      const talk = () => response.write('x'.repeat(50_000), talk)
      talk()
    })
    await expect(store.remove(anArtifact())).rejects.toThrow(StorageUnavailableError)
  })

  test('given other bytes stored than were sent, then they are removed again', async () => {
    const store = await storeOn(async (request, response) => {
      if (request.method === 'DELETE') response.writeHead(204).end()
      else {
        await takeBody(request, response)
        response.writeHead(200, { ETag: etagOf('other bytes') }).end()
      }
    })
    const name = anArtifact()
    await expect(putText(store, name, 'some bytes')).rejects.toThrow(StorageUnavailableError)
    expect(seen).toEqual([`PUT /files/artifacts/${name.id}`, `DELETE /files/artifacts/${name.id}`])
  })

  test('given an entity tag that is no digest, then nothing is read out of it', async () => {
    const store = await storeOn(async (request, response) => {
      await takeBody(request, response)
      const headers = { ETag: etagOf('encrypted bytes'), 'x-amz-server-side-encryption': 'aws:kms' }
      response.writeHead(200, headers).end()
    })
    await putText(store, anArtifact(), 'some bytes')
    expect(seen).toHaveLength(1)
  })

  test('given a refusal in the middle of the body, then the rest is not sent, and its source is released', async () => {
    const store = await storeOn(async (request, response) => {
      response.writeContinue()
      await once(request, 'data')
      response.writeHead(507).end(error('InsufficientStorage'))
    })
    const source = manyChunks(1_000)
    await expect(store.put(anArtifact(), source.bytes, 100_000_000)).rejects.toThrow(StorageFullError)
    await source.letGo
    expect(source.taken()).toBeLessThan(300)
  })

  test('given a refusal before the body is asked for, then none of it is taken', async () => {
    const store = await storeOn((_request, response) => response.writeHead(403).end(error('AccessDenied')))
    let taken = 0
    const counted = async function* () {
      taken += 1
      yield Buffer.from('x')
    }
    await expect(store.put(anArtifact(), counted(), 1)).rejects.toThrow(StorageUnavailableError)
    expect(taken).toBe(0)
  })

  test('given a service that does not know that it could ask for a body, then it is sent after a second', async () => {
    const endpoint = await startServer(async (request, response) => {
      response.writeHead(200, { ETag: etagOf(await buffer(request)) }).end()
    })
    await putText(createS3Store({ ...settings, endpoint }), anArtifact(), 'some bytes')
    expect(seen).toHaveLength(1)
  })
})

test('what goes wrong never tells the key, a signature or a URL', async () => {
  const store = await storeOn((request, response) =>
    response.writeHead(403).end(error('SignatureDoesNotMatch') + request.headers.authorization),
  )
  const thrown = await store.open(anArtifact()).catch((thrown) => thrown)
  const told = JSON.stringify([
    thrown,
    thrown.message,
    thrown.stack,
    thrown.cause,
    thrown.cause.message,
    thrown.cause.stack,
  ])
  for (const secret of [SECRET, 'Signature=', 'Credential', 'files/']) expect(told).not.toContain(secret)
})

async function expectUnavailable(store: ObjectStore): Promise<void> {
  const calls = [
    store.stat(anArtifact()),
    store.open(anArtifact()),
    store.remove(anArtifact()),
    putText(store, anArtifact(), 'x'),
    store.adopt(anUpload().id, anArtifact().id, '"v"'),
  ]
  for (const settled of await Promise.allSettled(calls)) {
    expect(settled).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailableError) })
  }
}

/** Chunks of 100,000 bytes, how many of them were read, and when no more are wanted. */
function manyChunks(count: number) {
  let taken = 0
  let release = () => {}
  const letGo = new Promise<void>((resolve) => {
    release = resolve
  })
  const bytes = async function* () {
    try {
      while (taken < count) {
        taken += 1
        yield Buffer.alloc(100_000)
      }
    } finally {
      release()
    }
  }
  return { bytes: bytes(), taken: () => taken, letGo }
}
