import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { onDisk, unless } from './disk-failures.ts'
import { createDiskRoom, type RoomClaim } from './disk-room.ts'
import { exactBytes } from './exact-bytes.ts'
import { makeDirectory } from './make-directory.ts'
import { requireObjectId } from './object-id.ts'
import {
  type ByteRange,
  ObjectChangedError,
  ObjectExistsError,
  type ObjectFacts,
  type ObjectName,
  type ObjectStore,
} from './object-store.ts'
import type { SignedUrls } from './signed-urls.ts'

export interface LocalDiskOptions {
  directory: string
  /** The signer of the URLs to which clients upload. */
  links: SignedUrls
  /** The number of bytes of the disk that must stay free. */
  reserveBytes?: number
}

/**
 * Creates a store of files on the local disk. Each file is named by its uuid, in a folder named by the first two
 * characters of the uuid. Each file is written only once.
 */
export function createLocalDiskStore({ directory, links, reserveBytes = 0 }: LocalDiskOptions): ObjectStore {
  const paths = createPaths(directory)
  const room = createDiskRoom(directory, reserveBytes)
  return {
    put: async (name, bytes, sizeBytes) => {
      const path = paths.of(name)
      const claim = await room.claim(sizeBytes)
      const temporary = join(paths.incoming, randomUUID())
      try {
        await onDisk(makeFolder(paths.incoming))
        await writeAs(temporary, exactBytes(bytes, sizeBytes), claim)
        if (!(await onDisk(linkAs(temporary, path)))) throw new ObjectExistsError(name)
      } finally {
        claim.release()
        // A file that cannot be deleted now is deleted after a later start (`removeLeftovers`).
        await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
    stat: async (name) => await onDisk(factsOf(paths.of(name))),
    open: async (name, range) => await onDisk(openStream(paths.of(name), range)),
    adopt: async (upload, artifact, version) => {
      const [source, target] = [{ area: 'uploads', id: upload } as const, { area: 'artifacts', id: artifact } as const]
      if ((await onDisk(factsOf(paths.of(source))))?.version !== version) throw new ObjectChangedError(upload)
      const isLinked = await onDisk(unless('ENOENT', linkAs(paths.of(source).file, paths.of(target)), null))
      if (isLinked === null) throw new ObjectChangedError(upload)
      if (!isLinked) throw new ObjectExistsError(target)
    },
    uploadTarget: async (upload, uploadPromise) => {
      await room.require(uploadPromise.sizeBytes)
      return { url: links.toUpload(upload, uploadPromise), headers: { 'Content-Type': uploadPromise.mimeType } }
    },
    remove: async (name) => {
      await onDisk(rm(paths.of(name).file, { force: true }))
    },
  }
}

/** Returns the folders of artifacts, of uploads, and of files that are being written. */
export function foldersOf(directory: string): { artifacts: string; uploads: string; incoming: string } {
  return { artifacts: directory, uploads: join(directory, 'uploads'), incoming: join(directory, 'incoming') }
}

/** The path of an object. */
interface ObjectPath {
  folder: string
  file: string
}

function createPaths(directory: string) {
  const folders = foldersOf(directory)
  return {
    /** The folder of files that are being written. */
    incoming: folders.incoming,
    of: ({ area, id }: ObjectName): ObjectPath => {
      const folder = join(folders[area], requireObjectId(id).slice(0, 2))
      return { folder, file: join(folder, id) }
    },
  }
}

/**
 * Writes the bytes to a temporary file and flushes the file to the disk. Errors of the source are rethrown unchanged.
 */
async function writeAs(temporary: string, bytes: AsyncIterable<Uint8Array>, claim: RoomClaim): Promise<void> {
  const handle = await onDisk(open(temporary, 'wx'))
  try {
    for await (const chunk of bytes) {
      await onDisk(handle.writeFile(chunk))
      claim.wrote(chunk.length)
    }
    await onDisk(handle.sync())
  } finally {
    await onDisk(handle.close())
  }
}

/**
 * Gives a complete file its final name by a hard link. Readers never find an incomplete file, and an existing file is
 * never replaced. Returns false if the name exists.
 */
async function linkAs(source: string, { folder, file }: ObjectPath): Promise<boolean> {
  await makeFolder(folder)
  if (!(await unless('EEXIST', link(source, file).then(toTrue), false))) return false
  try {
    await flushFolder(folder)
    return true
  } catch (error) {
    // The link may be lost in a power cut, so the caller gets the error and does not use the file.
    await rm(file, { force: true })
    throw error
  }
}

/** Creates a folder and its missing parents, and flushes each new entry to the disk. */
async function makeFolder(folder: string): Promise<void> {
  const first = await makeDirectory(folder)
  if (first === undefined) return
  for (let createdFolder = folder; createdFolder.length >= first.length; createdFolder = dirname(createdFolder))
    await flushFolder(dirname(createdFolder))
}

async function factsOf({ file }: ObjectPath): Promise<ObjectFacts | null> {
  const fileStat = await unless('ENOENT', stat(file), null)
  // Objects are never replaced, so each has one version.
  return fileStat && { sizeBytes: fileStat.size, version: 'only', isVersionUnique: true }
}

async function openStream(
  { file }: ObjectPath,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  const handle = await unless('ENOENT', open(file, 'r'), null)
  if (handle === null) return null
  const stream: NodeReadableStream = Readable.toWeb(handle.createReadStream({ ...range }))
  return stream as unknown as ReadableStream<Uint8Array>
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

function toTrue(): true {
  return true
}
