import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { StorageFullError } from '../../../api/artifacts/storage/object-store.ts'
import { anonymousFilesIn, createSpool } from '../../../api/artifacts/temporary-file.ts'
import { countOpenIn } from '../../support/open-files.ts'
import { readAll } from '../../support/read-all.ts'

const directory = await mkdtemp(join(tmpdir(), 'task-market-spool-'))
afterAll(() => rm(directory, { recursive: true }))

test('given bytes, then any part can be read repeatedly, and no file has a name', async () => {
  const folder = join(directory, 'made', 'when', 'needed')
  const spool = createSpool(anonymousFilesIn(folder))
  const bytes = Buffer.alloc(1_000_000, 'some bytes in a row ')
  for (let at = 0; at < bytes.length; at += 70_000) {
    spool.append(bytes.subarray(at, at + 70_000))
    await spool.flush()
  }
  await spool.flush({ all: true })
  expect(await readdir(folder)).toEqual([])
  expect(await countOpenIn(folder)).toBe(1)
  for (const [start, length] of [
    [0, 1_000_000],
    [0, 1_000_000],
    [123_456, 654_321],
    [5, 0],
  ] as const) {
    expect((await readAll(spool.read(start, length))).equals(bytes.subarray(start, start + length))).toBe(true)
  }
  await spool.close()
  expect(await countOpenIn(folder)).toBe(0)
})

test('given a closed spool, then reads and writes get an error, one in progress too', async () => {
  const spool = createSpool(anonymousFilesIn(directory))
  spool.append(Buffer.alloc(600_000))
  await spool.flush({ all: true })
  const reading = spool.read(0, 600_000)
  await reading.next()
  await spool.close()
  await expect(reading.next()).rejects.toThrow('is over')
  await expect(readAll(spool.read(0, 1))).rejects.toThrow('is over')
  spool.append(Buffer.of(1))
  await expect(spool.flush({ all: true })).rejects.toThrow('is over')
})

test('given a spool that is closed while its file is made, then the file is closed as well', async () => {
  const spool = createSpool(anonymousFilesIn(directory))
  spool.append(Buffer.of(1))
  const written = spool.flush({ all: true }).catch(() => undefined)
  await spool.close()
  await written
  expect(await countOpenIn(directory)).toBe(0)
})

test('given a spool without a write, then there is no file', async () => {
  let opened = 0
  const spool = createSpool(() => {
    opened += 1
    return anonymousFilesIn(directory)()
  })
  await spool.flush({ all: true })
  await spool.close()
  expect(opened).toBe(0)
})

test('given a full disk, then the error says so', async () => {
  const spool = createSpool(() => open('/dev/full', 'r+'))
  spool.append(Buffer.alloc(300_000))
  await expect(spool.flush()).rejects.toThrow(StorageFullError)
  await spool.close()
})
