import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderError } from '../../../api/http/errors.ts'
import { StorageFullError } from '../../../api/storage/artifact-store.ts'
import { createLocalDiskStore } from '../../../api/storage/local-disk.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'task-market-store-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const aStore = (secret = 'a secret') => createLocalDiskStore({ directory, secret, publicBaseUrl: 'http://here' })

async function textOf(stream: ReadableStream<Uint8Array> | null): Promise<string | null> {
  return stream === null ? null : await new Response(stream).text()
}

test('gives back what it was given, whole or in part, and nothing once it is removed', async () => {
  const store = aStore()
  const id = randomUUID()
  expect(await store.open(id)).toBeNull()
  await store.put(id, Buffer.from('0123456789'))
  expect(await textOf(await store.open(id))).toBe('0123456789')
  expect(await textOf(await store.open(id, { start: 3, end: 5 }))).toBe('345')
  await store.remove(id)
  await store.remove(id)
  expect(await store.open(id)).toBeNull()
})

test('leaves no temporary file behind', async () => {
  const store = aStore()
  for (let index = 0; index < 5; index += 1) await store.put(randomUUID(), Buffer.from('x'))
  const names = await readdir(directory, { recursive: true })
  expect(names.filter((name) => name.includes('.'))).toEqual([])
})

test.each(['', '..', '../../etc/passwd', 'A'.repeat(36), `${randomUUID()}/..`, '.'])(
  'takes no name like %j',
  async (id) => {
    const store = aStore()
    await expect(store.put(id, Buffer.from('x'))).rejects.toThrow(/uuids/)
    expect(await store.open(id)).toBeNull()
    await store.remove(id)
  },
)

test('a URL is genuine for its id, its expiry and its key, until it expires', () => {
  const store = aStore()
  const id = randomUUID()
  const url = new URL(store.signedUrl(id, 1000))
  expect(url.href.startsWith(`http://here/api/artifacts/${id}?`)).toBe(true)
  const signature = url.searchParams.get('signature') ?? ''
  expect(store.verify(id, 1000, signature, 999)).toBe(true)
  expect(store.verify(id, 1000, signature, 1000)).toBe(false)
  expect(store.verify(id, 1001, signature, 999)).toBe(false)
  expect(store.verify(randomUUID(), 1000, signature, 999)).toBe(false)
  expect(store.verify(id, 1000, `${signature}A`, 999)).toBe(false)
  expect(aStore('another secret').verify(id, 1000, signature, 999)).toBe(false)
})

test('a put that fails keeps nothing', async () => {
  const id = randomUUID()
  const folder = join(directory, id.slice(0, 2))
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'a file where the folder should be')
  await expect(aStore().put(id, Buffer.from('x'))).rejects.toThrow(/EEXIST|ENOTDIR/)
  await rm(folder)
  expect(await aStore().open(id)).toBeNull()
})

test('a full disk is 507 to the client', async () => {
  const app = new Hono().get('/', () => {
    throw new StorageFullError({ cause: new Error('ENOSPC: no space left on device') })
  })
  app.onError((error, c) => renderError(c, error, pino({ level: 'silent' })))
  const response = await app.request('/')
  expect(response.status).toBe(507)
  expect(await response.json()).toMatchObject({ code: 'INSUFFICIENT_STORAGE', service: { reason: 'unclassified' } })
})
