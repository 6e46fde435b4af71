import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkStorage } from '../../../api/artifacts/storage/check-storage.ts'
import { createLocalDiskStore } from '../../../api/artifacts/storage/local-disk.ts'
import {
  ObjectExistsError,
  type ObjectStore,
  StorageFullError,
  StorageUnavailableError,
} from '../../../api/artifacts/storage/object-store.ts'
import { openStorage, type StorageConfig } from '../../../api/artifacts/storage/open-storage.ts'
import { createSignedUrls } from '../../../api/artifacts/storage/signed-urls.ts'
import { captureLog } from '../../support/captured-log.ts'
import { anArtifact, anUpload, inChunks, putText, readText, versionOf } from '../../support/object-store-contract.ts'
import { limitFileSizes, mountSmallDisk, type SmallDisk } from './small-disk.ts'

const links = createSignedUrls({ secret: 'a secret', publicBaseUrl: 'http://here' })
const silent = pino({ level: 'silent' })
const KB = 1024

function aFolder(directory: string) {
  const settings = { STORAGE: 'local', ARTIFACT_DIR: directory, STORAGE_RESERVE_BYTES: 0 } as const
  return openStorage(settings as StorageConfig, links)
}

/** Bytes of which `then` happens in the middle. */
async function* interrupted(then: () => Promise<unknown>, part = 300 * KB): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(part)
  // The last chunk waits for the next one: two are on the disk by now.
  yield Buffer.alloc(part)
  yield Buffer.alloc(part)
  await then()
  yield Buffer.alloc(part)
}

/** What is below a folder besides folders and what fills it. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('ballast')).map(({ name }) => name)
}

describe('files that cannot grow', () => {
  test('given bytes beyond that, then the put says the storage is full, keeps nothing, and works again later', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'task-market-full-'))
    const store = createLocalDiskStore({ directory, links })
    const name = anUpload()
    const lift = await limitFileSizes(400 * KB)
    try {
      await expect(
        store.put(
          name,
          interrupted(async () => {}),
          1200 * KB,
        ),
      ).rejects.toThrow(StorageFullError)
    } finally {
      await lift()
    }
    expect(await filesIn(directory)).toEqual([])
    await store.put(
      name,
      interrupted(async () => {}),
      1200 * KB,
    )
    expect(await filesIn(directory)).toEqual([name.id])
    await rm(directory, { recursive: true })
  })
})

const disk = await mountSmallDisk({ sizeBytes: 2 * KB * KB, names: 40 })
afterAll(() => disk?.stop())
// Elsewhere only the limit above can be had.
if (disk !== null) describe('a disk of two megabytes', () => onSmallDisk(disk))

function onSmallDisk(disk: SmallDisk): void {
  const { directory } = disk
  let store: ObjectStore
  beforeEach(() => {
    store = createLocalDiskStore({ directory, links })
  })
  afterEach(async () => {
    await disk.lock(false)
    await disk.empty()
    for (const entry of await readdir(directory)) await rm(join(directory, entry), { recursive: true })
  })

  const expectFull = async (work: Promise<unknown>) => {
    await expect(work).rejects.toThrow(StorageFullError)
    expect(await filesIn(directory)).toEqual([])
  }

  test('given no room from the start, then no byte is asked for; with room again, the same put works', async () => {
    await disk.fill()
    const name = anUpload()
    let isAsked = false
    const bytes = async function* () {
      isAsked = true
      yield Buffer.alloc(300 * KB)
    }
    await expectFull(store.put(name, bytes(), 300 * KB))
    expect(isAsked).toBe(false)
    await disk.empty()
    await store.put(name, bytes(), 300 * KB)
    expect(await store.stat(name)).toMatchObject({ sizeBytes: 300 * KB })
  })

  test('given a disk that others fill meanwhile, then nothing is kept', async () => {
    await expectFull(store.put(anUpload(), interrupted(disk.fill), 1200 * KB))
  })

  test('given no name left for the file that is written, then nothing is kept', async () => {
    await mkdir(join(directory, 'incoming'))
    await disk.useUpNames()
    await expectFull(putText(store, anUpload(), 'x'))
  })

  test('given no name left for its folder, then nothing is kept', async () => {
    await expectFull(store.put(anUpload(), interrupted(disk.useUpNames, KB), 4 * KB))
  })

  test('given no name left for the object itself, then nothing is kept', async () => {
    const name = anUpload()
    await mkdir(join(directory, 'uploads', name.id.slice(0, 2)), { recursive: true })
    await expectFull(store.put(name, interrupted(disk.useUpNames, KB), 4 * KB))
  })

  test('given no name left for an adopted upload, then the upload stays and no artifact is there', async () => {
    const [upload, artifact] = [anUpload(), anArtifact()]
    await putText(store, upload, 'work')
    await disk.useUpNames()
    const version = await versionOf(store, upload)
    await expect(store.adopt(upload.id, artifact.id, version)).rejects.toThrow(StorageFullError)
    expect(await store.stat(artifact)).toBeNull()
    await disk.empty()
    await store.adopt(upload.id, artifact.id, version)
    expect(await readText(store, artifact)).toBe('work')
  })

  test('given no room for what is promised, then no URL is given', async () => {
    const promised = { sizeBytes: 1200 * KB, mimeType: 'text/plain', expiresAt: 1 }
    await store.uploadTarget(randomUUID(), promised)
    await expectFull(store.uploadTarget(randomUUID(), { ...promised, sizeBytes: 2100 * KB }))
  })

  test('given a reserve, then files leave it free', async () => {
    const careful = createLocalDiskStore({ directory, links, reserveBytes: 1024 * KB })
    await expectFull(careful.put(anUpload(), inChunks(Buffer.alloc(1200 * KB)), 1200 * KB))
    await careful.put(anUpload(), inChunks(Buffer.alloc(900 * KB)), 900 * KB)
  })

  test('given puts at once, then what one has yet to write is not given to another, and what ended is free again', async () => {
    const other = () => store.put(anUpload(), inChunks(Buffer.alloc(1200 * KB)), 1200 * KB)
    const refusals: unknown[] = []
    const meanwhile = async () => {
      refusals.push(await other().catch((error: unknown) => error))
      throw new Error('the client went away')
    }
    await expect(store.put(anUpload(), interrupted(meanwhile), 1200 * KB)).rejects.toThrow('went away')
    expect(refusals).toEqual([expect.any(StorageFullError)])
    await other()
  })

  test('given a disk that can only be read, then storing is unavailable, and reading goes on', async () => {
    const name = anUpload()
    await putText(store, name, 'work')
    await disk.lock(true)
    await expect(putText(store, anUpload(), 'x')).rejects.toThrow(StorageUnavailableError)
    await expect(store.remove(name)).rejects.toThrow(StorageUnavailableError)
    expect(await readText(store, name)).toBe('work')
  })

  test.each(['full', 'read-only'])(
    'given a disk that is %s, then the service starts and tells the log',
    async (how) => {
      await putText(store, anUpload(), 'work')
      await (how === 'full' ? disk.useUpNames() : disk.lock(true))
      const log = captureLog()
      await checkStorage(aFolder(directory), pino({}, log))
      expect(log.lines()).toEqual([expect.objectContaining({ level: 50, msg: 'storage check failed' })])
      expect(log.text()).toContain(how === 'full' ? 'ENOSPC' : 'EROFS')
    },
  )

  test('given uploads on a disk of their own, then the service does not start and says why', async () => {
    const own = await mkdtemp(join(tmpdir(), 'task-market-two-disks-'))
    await mkdir(join(own, 'uploads'))
    const second = await mountSmallDisk({ sizeBytes: 64 * KB, directory: join(own, 'uploads') })
    await expect(checkStorage(aFolder(own), silent)).rejects.toThrow(
      /EXDEV.*it must be one file system, with hard links/,
    )
    await second?.stop()
    await rm(own, { recursive: true })
  })
}

describe('a folder that is opened', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'task-market-opened-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('given files that a killed process left, then those of yesterday go, and no other', async () => {
    const store = aFolder(directory).objects
    const name = anArtifact()
    await putText(store, name, 'work')
    const incoming = join(directory, 'incoming')
    const [old, young] = [randomUUID(), randomUUID()]
    for (const file of [old, young]) await writeFile(join(incoming, file), 'half')
    const yesterday = Date.now() / 1000 - 86_400 - 60
    for (const file of [join(incoming, old), join(directory, name.id.slice(0, 2), name.id)]) {
      await utimes(file, yesterday, yesterday)
    }
    expect(await aFolder(directory).tidy()).toBe(1)
    expect(await readdir(incoming)).toEqual([young])
    expect(await readText(store, name)).toBe('work')
    expect((await filesIn(directory)).sort()).toEqual([young, name.id].sort())
  })

  test('given a name that is taken, then a put leaves what is there as it is', async () => {
    const store = aFolder(directory).objects
    const name = anUpload()
    await putText(store, name, 'the first')
    await expect(putText(store, name, 'a second')).rejects.toThrow(ObjectExistsError)
    expect(await readText(store, name)).toBe('the first')
  })
})
