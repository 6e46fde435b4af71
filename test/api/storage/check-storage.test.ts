import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkStorage } from '../../../api/artifacts/storage/check-storage.ts'
import { foldersOf } from '../../../api/artifacts/storage/local-disk.ts'
import { StorageFullError } from '../../../api/artifacts/storage/object-store.ts'
import { type OpenedStorage, openStorage } from '../../../api/artifacts/storage/open-storage.ts'
import { createSignedUrls } from '../../../api/artifacts/storage/signed-urls.ts'

const log = pino({ level: 'silent' })

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'task-market-check-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const links = createSignedUrls({ secret: 'a secret', publicBaseUrl: 'http://here' })
const openedAt = (ARTIFACT_DIR: string) =>
  openStorage({ STORAGE: 'local', ARTIFACT_DIR, STORAGE_RESERVE_BYTES: 0, S3_PREFIX: '' }, links)

test('given a folder that is not there yet, then it is made, works and holds no file', async () => {
  const folder = join(directory, 'new', 'files')
  const storage = openedAt(folder)
  await checkStorage(storage, log)
  await storage.probe()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  expect(entries.filter((entry) => entry.isFile())).toEqual([])
})

test('given a file where the folder should be, then the check and the probe say so', async () => {
  const folder = join(directory, 'a-file')
  await writeFile(folder, '')
  const storage = openedAt(folder)
  await expect(checkStorage(storage, log)).rejects.toThrow(
    new RegExp(`^In the folder ${folder} a file cannot be stored: E.+\\. Look at ARTIFACT_DIR, its owner and the room`),
  )
  await expect(storage.probe()).rejects.toThrow()
})

test('given a folder below one that takes no folders, then the check ends and says so', async () => {
  await expect(checkStorage(openedAt('/proc/none/files'), log)).rejects.toThrow(
    'In the folder /proc/none/files a file cannot be stored: ENOTSUP: /proc takes no directory. Look at ARTIFACT_DIR',
  )
})

test('given a full storage, then what killed processes left is removed all the same: it may be what fills it', async () => {
  const folder = join(directory, 'full')
  const { objects, ...rest } = openedAt(folder)
  const leftover = join(foldersOf(folder).incoming, crypto.randomUUID())
  await mkdir(foldersOf(folder).incoming, { recursive: true })
  await writeFile(leftover, 'half a file')
  await utimes(leftover, 0, 0)
  const full = () => Promise.reject(new StorageFullError({ cause: new Error('ENOSPC') }))
  await checkStorage({ ...rest, objects: { ...objects, put: full } }, log)
  expect(await readdir(foldersOf(folder).incoming)).toEqual([])
})

test('given a storage that copies whatever is there, then it is not taken', async () => {
  const { objects, ...rest } = openedAt(join(directory, 'files'))
  const careless: OpenedStorage = {
    ...rest,
    objects: { ...objects, adopt: (upload, artifact) => objects.adopt(upload, artifact, 'only') },
  }
  await expect(checkStorage(careless, log)).rejects.toThrow(
    'a file cannot be copied only as it was looked at (x-amz-copy-source-if-match): a copy of another version was made',
  )
  const files = (await readdir(join(directory, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  expect(files).toEqual([])
})
