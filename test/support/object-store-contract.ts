import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  ObjectChangedError,
  type ObjectName,
  type ObjectStore,
  SizeMismatchError,
} from '../../api/artifacts/storage/object-store.ts'

/** The tests of every storage driver. `open` is called by each test, after the file's hooks. */
export function objectStoreContract(open: () => ObjectStore): void {
  describe('as every storage', () => {
    test('given an object, then it is returned whole or in part, and is absent once it is removed', async () => {
      const store = open()
      for (const name of [anArtifact(), anUpload()]) {
        expect(await store.open(name)).toBeNull()
        expect(await store.stat(name)).toBeNull()
        await putText(store, name, '0123456789')
        expect((await store.stat(name))?.sizeBytes).toBe(10)
        expect(await readText(store, name)).toBe('0123456789')
        expect(await readText(store, name, { start: 3, end: 5 })).toBe('345')
        expect(await readText(store, name, { start: 0, end: 0 })).toBe('0')
        expect(await readText(store, name, { start: 9, end: 9 })).toBe('9')
        await store.remove(name)
        await store.remove(name)
        expect(await store.open(name)).toBeNull()
        expect(await store.open(name, { start: 3, end: 5 })).toBeNull()
        expect(await store.stat(name)).toBeNull()
      }
    })

    test('given objects in both areas, then each area has its own', async () => {
      const store = open()
      const { id } = anUpload()
      await putText(store, { area: 'uploads', id }, 'an upload')
      expect(await store.stat({ area: 'artifacts', id })).toBeNull()
      await putText(store, { area: 'artifacts', id }, 'an artifact')
      expect(await readText(store, { area: 'uploads', id })).toBe('an upload')
      await store.remove({ area: 'uploads', id })
      expect(await readText(store, { area: 'artifacts', id })).toBe('an artifact')
    })

    test('given an object of no bytes, then it is stored', async () => {
      const store = open()
      const name = anArtifact()
      await store.put(name, inChunks(), 0)
      expect((await store.stat(name))?.sizeBytes).toBe(0)
      expect(await readText(store, name)).toBe('')
    })

    test('given many chunks of any length, then they are stored unchanged', async () => {
      const store = open()
      const name = anArtifact()
      const chunks = [1, 0, 65_536, 3, 1_000_000, 65_537, 0].map((length) => randomBytes(length))
      const whole = Buffer.concat(chunks)
      await store.put(name, inChunks(...chunks), whole.length)
      const read = Buffer.from(await new Response(await store.open(name)).arrayBuffer())
      expect(sha256(read)).toBe(sha256(whole))
      const part = Buffer.from(
        await new Response(await store.open(name, { start: 65_530, end: 999_999 })).arrayBuffer(),
      )
      expect(sha256(part)).toBe(sha256(whole.subarray(65_530, 1_000_000)))
    })

    test.each([
      { given: 'one byte more', announced: 9, chunks: ['01234', '56789'] },
      { given: 'one byte less', announced: 11, chunks: ['01234', '56789'] },
      { given: 'a chunk behind the whole', announced: 5, chunks: ['01234', '56789'] },
      { given: 'nothing', announced: 10, chunks: [] },
      { given: 'something instead of nothing', announced: 0, chunks: ['0'] },
      { given: 'a megabyte too many', announced: 200_000, chunks: Array(12).fill('x'.repeat(100_000)) },
      { given: 'a megabyte too few', announced: 2_000_000, chunks: Array(10).fill('x'.repeat(100_000)) },
    ])('given $given, then the put fails and keeps nothing', async ({ announced, chunks }) => {
      const store = open()
      const name = anArtifact()
      const bytes = inChunks(...chunks.map((chunk: string) => Buffer.from(chunk)))
      await expect(store.put(name, bytes, announced)).rejects.toThrow(SizeMismatchError)
      expect(await store.stat(name)).toBeNull()
    })

    test('given bytes that end with an error, then the put fails with that error and stores nothing', async () => {
      const store = open()
      const name = anArtifact()
      const failure = new Error('the client went away')
      const failing = async function* () {
        yield Buffer.alloc(300_000)
        yield Buffer.alloc(300_000)
        throw failure
      }
      await expect(store.put(name, failing(), 900_000)).rejects.toBe(failure)
      expect(await store.stat(name)).toBeNull()
    })

    test('given a promoted upload, then it does not change with the upload', async () => {
      const store = open()
      const upload = anUpload()
      const artifact = anArtifact()
      await putText(store, upload, 'what was judged')
      await store.adopt(upload.id, artifact.id, await versionOf(store, upload))
      await store.remove(upload)
      expect(await readText(store, artifact)).toBe('what was judged')
      await putText(store, upload, 'something else altogether')
      expect(await readText(store, artifact)).toBe('what was judged')
      expect((await store.stat(artifact))?.sizeBytes).toBe(15)
      await store.remove(artifact)
      expect(await readText(store, upload)).toBe('something else altogether')
    })

    test('given an upload of another version, or none, then it is not promoted', async () => {
      const store = open()
      const upload = anUpload()
      const artifact = anArtifact()
      await expect(store.adopt(upload.id, artifact.id, '"0"')).rejects.toThrow(ObjectChangedError)
      await putText(store, upload, 'one version')
      await expect(store.adopt(upload.id, artifact.id, '"0"')).rejects.toThrow(ObjectChangedError)
      expect(await store.stat(artifact)).toBeNull()
    })

    test.each(['', '..', '../../etc/passwd', 'A'.repeat(36), `${randomUUID()}/..`, '.', `${randomUUID()}?acl`])(
      'given the name %j, then it is refused',
      async (id) => {
        const store = open()
        const good = randomUUID()
        for (const area of ['uploads', 'artifacts'] as const) {
          await expect(putText(store, { area, id }, 'x')).rejects.toThrow(/uuids/)
          await expect(store.open({ area, id })).rejects.toThrow(/uuids/)
          await expect(store.stat({ area, id })).rejects.toThrow(/uuids/)
          await expect(store.remove({ area, id })).rejects.toThrow(/uuids/)
        }
        await expect(store.adopt(id, good, 'only')).rejects.toThrow(/uuids/)
        await expect(store.adopt(good, id, 'only')).rejects.toThrow(/uuids|is not what it was/)
      },
    )
  })
}

export const anArtifact = (): ObjectName => ({ area: 'artifacts', id: randomUUID() })
export const anUpload = (): ObjectName => ({ area: 'uploads', id: randomUUID() })

export async function* inChunks(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

export function putText(store: ObjectStore, name: ObjectName, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  return store.put(name, inChunks(bytes), bytes.length)
}

export async function readText(
  store: ObjectStore,
  name: ObjectName,
  range?: { start: number; end: number },
): Promise<string | null> {
  const stream = await store.open(name, range)
  return stream && (await new Response(stream).text())
}

export async function versionOf(store: ObjectStore, name: ObjectName): Promise<string> {
  const facts = await store.stat(name)
  if (facts === null) throw new Error('there is no such object')
  return facts.version
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
