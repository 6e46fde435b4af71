import { randomUUID } from 'node:crypto'
import { type FileHandle, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { FileLinks } from './file-links.ts'
import { requireObjectId } from './object-id.ts'
import {
  type ByteRange,
  ObjectChangedError,
  type ObjectFacts,
  type ObjectName,
  type ObjectStore,
  StorageFullError,
} from './object-store.ts'

export interface LocalDiskOptions {
  directory: string
  /** Makes the URLs that clients upload to. */
  links: FileLinks
}

const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Objects as files named by their uuid, below two-digit folders; uploads in a folder of their own. A name is written
 * once: an upload that is there cannot be replaced.
 */
export function createLocalDiskStore({ directory, links }: LocalDiskOptions): ObjectStore {
  const paths = createPaths(directory)
  return {
    put: async (name, bytes, sizeBytes) => writeWhole(paths.of(name), bytes, sizeBytes),
    stat: async (name) => factsOf(paths.of(name)),
    open: async (name, range) => openStream(paths.of(name), range),
    adopt: async (upload, artifact, version) => {
      const source = paths.of({ area: 'uploads', id: upload })
      if ((await factsOf(source))?.version !== version) throw new ObjectChangedError(upload)
      await linkAs(source, paths.of({ area: 'artifacts', id: artifact }))
    },
    uploadTarget: async (upload, promised) => ({
      url: links.toUpload(upload, promised),
      headers: { 'Content-Type': promised.mimeType },
    }),
    remove: async (name) => {
      await rm(paths.of(name).file, { force: true })
    },
  }
}

/** Where an object is. */
interface ObjectPath {
  folder: string
  file: string
}

function createPaths(directory: string): { of: (name: ObjectName) => ObjectPath } {
  const roots = { artifacts: directory, uploads: join(directory, 'uploads') }
  return {
    of: ({ area, id }) => {
      const folder = join(roots[area], requireObjectId(id).slice(0, 2))
      return { folder, file: join(folder, id) }
    },
  }
}

/**
 * Temporary file, flushed, then linked under its name, then the folder flushed: a reader never sees a part of an
 * object, and one that is there is never replaced.
 */
async function writeWhole(
  { folder, file }: ObjectPath,
  bytes: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true })
    await withFile(temporary, 'wx', async (handle) => {
      let written = 0
      for await (const chunk of bytes) {
        written += chunk.length
        if (written > sizeBytes) break
        await handle.writeFile(chunk)
      }
      if (written !== sizeBytes) throw new Error(`an object of ${sizeBytes} bytes came with others`)
      await handle.sync()
    })
    await link(temporary, file)
    await flushFolder(folder)
  } catch (error) {
    throw isFullDisk(error) ? new StorageFullError({ cause: error }) : error
  } finally {
    await rm(temporary, { force: true })
  }
}

async function linkAs(source: ObjectPath, target: ObjectPath): Promise<void> {
  try {
    await mkdir(target.folder, { recursive: true })
    await link(source.file, target.file)
    await flushFolder(target.folder)
  } catch (error) {
    throw isFullDisk(error) ? new StorageFullError({ cause: error }) : error
  }
}

async function factsOf({ file }: ObjectPath): Promise<ObjectFacts | null> {
  try {
    const { size } = await stat(file)
    // Nothing is ever replaced: there is one version of each.
    return { sizeBytes: size, version: 'only' }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function openStream(
  { file }: ObjectPath,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    const handle = await open(file, 'r')
    const stream: NodeReadableStream = Readable.toWeb(handle.createReadStream({ ...range }))
    return stream as unknown as ReadableStream<Uint8Array>
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function flushFolder(folder: string): Promise<void> {
  return withFile(folder, 'r', (handle) => handle.sync())
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && FULL_DISK_CODES.has(error.code)
}
