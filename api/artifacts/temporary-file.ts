import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onDisk } from './storage/disk-failures.ts'
import { makeDirectory } from './storage/make-directory.ts'

/** The number of bytes that are written or read in one operation. */
const BLOCK_BYTES = 256 * 1024
/**
 * The number of memory blocks of a reader. One block is being filled. `exactBytes` delays the second one. The consumer
 * still uses the third one.
 */
const READ_BLOCKS = 3

/**
 * Opens a new file for writing and reading. The file has no directory entry, so the operating system deletes the file
 * when the file is closed.
 */
export type OpenAnonymousFile = () => Promise<FileHandle>

/**
 * A temporary store for the bytes of one request, used until the bytes are stored permanently. The bytes are in a file
 * without a directory entry, so a crash leaves no file behind. The file is created when the first bytes are written.
 */
export interface Spool {
  /** The number of appended bytes, which is the position of the next byte. */
  readonly sizeBytes: number
  /**
   * Appends a copy of the bytes. The caller must call `flush` so often that at most BLOCK_BYTES bytes wait for writing.
   */
  append: (bytes: Uint8Array) => void
  /** Removes all bytes from this position on. */
  dropFrom: (position: number) => void
  /**
   * Writes the appended bytes to the file. Without `all`, writes them only if they fill at least half a memory block.
   * @throws StorageFullError, StorageUnavailableError
   */
  flush: (options?: { all: boolean }) => Promise<void>
  /**
   * Reads a part of the written bytes, any number of times. A chunk is valid until two further chunks are requested.
   * @throws Error if the spool is closed
   */
  read: (start: number, sizeBytes: number) => AsyncGenerator<Uint8Array>
  /** Closes the file. Reads that are still running fail. */
  close: () => Promise<void>
}

export function createSpool(openAnonymous: OpenAnonymousFile): Spool {
  let file: Promise<FileHandle> | null = null
  let isClosed = false
  let block: Buffer | null = null
  let waitingBytes = 0
  let writtenBytes = 0

  const openOnce = () => {
    if (isClosed) throw new Error('the request of these files is over')
    file ??= openAnonymous()
    return file
  }
  return {
    get sizeBytes() {
      return writtenBytes + waitingBytes
    },
    append: (bytes) => {
      const neededLength = waitingBytes + bytes.length
      if (block === null || block.length < neededLength) {
        const largerBlock = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, neededLength))
        block?.copy(largerBlock, 0, 0, waitingBytes)
        block = largerBlock
      }
      block.set(bytes, waitingBytes)
      waitingBytes = neededLength
    },
    dropFrom: (position) => {
      waitingBytes = Math.max(0, position - writtenBytes)
      writtenBytes = Math.min(writtenBytes, position)
    },
    flush: async ({ all } = { all: false }) => {
      if (block === null || waitingBytes < (all ? 1 : BLOCK_BYTES / 2)) return
      await writeWhole(await openOnce(), block.subarray(0, waitingBytes), writtenBytes)
      writtenBytes += waitingBytes
      waitingBytes = 0
    },
    read: async function* (start, length) {
      const blocks = Array.from({ length: READ_BLOCKS }, () => Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, length)))
      for (let at = start, turn = 0; at < start + length; turn += 1) {
        const size = Math.min(BLOCK_BYTES, start + length - at)
        const chunk = (blocks[turn % READ_BLOCKS] as Buffer).subarray(0, size)
        const { bytesRead } = await onDisk((await openOnce()).read(chunk, 0, size, at))
        if (bytesRead === 0) throw new Error('a spooled file is shorter than what was written')
        at += bytesRead
        yield chunk.subarray(0, bytesRead)
      }
    },
    close: async () => {
      isClosed = true
      block = null
      // A file that failed to open needs no closing.
      const openFile = await file?.catch(() => null)
      await openFile?.close()
    },
  }
}

/**
 * Returns a function that opens new files on the disk of the folder `directory`. The files have no directory entry. If
 * the folder is missing, the function creates the folder.
 */
export function anonymousFilesIn(directory: string): OpenAnonymousFile {
  return () => onDisk(openAnonymous(directory))
}

async function openAnonymous(directory: string): Promise<FileHandle> {
  const path = join(directory, randomUUID())
  await makeDirectory(directory)
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function writeWhole(file: FileHandle, block: Uint8Array, position: number): Promise<void> {
  for (let writtenBytes = 0; writtenBytes < block.length; ) {
    const write = file.write(block, writtenBytes, block.length - writtenBytes, position + writtenBytes)
    writtenBytes += (await onDisk(write)).bytesWritten
  }
}
