import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { type ArtifactStore, type ByteRange, StorageFullError } from './artifact-store.ts'

export interface LocalDiskOptions {
  directory: string
  /** Key of the signed URLs. */
  secret: string
  /** Where clients reach this service, without a trailing slash. */
  publicBaseUrl: string
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Artifact bytes as files named by their uuid, below two-digit folders. URLs carry `expires` and an HMAC over id and
 * expiry; nothing is kept for them.
 */
export function createLocalDiskStore({ directory, secret, publicBaseUrl }: LocalDiskOptions): ArtifactStore {
  const signatureOf = (id: string, expiresAt: number) =>
    createHmac('sha256', secret).update(`artifact:${id}:${expiresAt}`).digest('base64url')
  return {
    put: (id, bytes) => writeWhole(directory, id, bytes),
    open: (id, range) => openStream(directory, id, range),
    signedUrl: (id, expiresAt) =>
      `${publicBaseUrl}/api/artifacts/${id}?expires=${expiresAt}&signature=${signatureOf(id, expiresAt)}`,
    verify: (id, expiresAt, signature, now) => now < expiresAt && isSame(signature, signatureOf(id, expiresAt)),
    remove: async (id) => {
      if (UUID.test(id)) await rm(pathOf(directory, id), { force: true })
    },
  }
}

/** Temporary file, flushed, then renamed, then the folder flushed: a reader never sees a part of an object. */
async function writeWhole(directory: string, id: string, bytes: Uint8Array): Promise<void> {
  const target = pathOf(directory, id)
  const folder = folderOf(directory, id)
  const temporary = join(folder, `.${id}.${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true })
    await withFile(temporary, 'wx', async (file) => {
      await file.writeFile(bytes)
      await file.sync()
    })
    await rename(temporary, target)
    await withFile(folder, 'r', (file) => file.sync())
  } catch (error) {
    await rm(temporary, { force: true })
    if (isFullDisk(error)) throw new StorageFullError({ cause: error })
    throw error
  }
}

async function openStream(
  directory: string,
  id: string,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  if (!UUID.test(id)) return null
  try {
    const file = await open(pathOf(directory, id), 'r')
    const stream: NodeReadableStream = Readable.toWeb(file.createReadStream({ ...range }))
    return stream as unknown as ReadableStream<Uint8Array>
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

function pathOf(directory: string, id: string): string {
  return join(folderOf(directory, id), id)
}

function folderOf(directory: string, id: string): string {
  if (!UUID.test(id)) throw new Error('artifact ids are lower-case uuids')
  return join(directory, id.slice(0, 2))
}

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && FULL_DISK_CODES.has(error.code)
}

function isSame(given: string, expected: string): boolean {
  const left = Buffer.from(given)
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}
