import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onDisk } from './storage/disk-failures.ts'
import { makeDirectory } from './storage/make-directory.ts'

/** The most bytes that are written and read at once. */
const BLOCK_BYTES = 256 * 1024
/** The blocks of a reader: one is filled, one held back (exact-bytes.ts), one written elsewhere. */
const READ_BLOCKS = 3

/** Opens an unlinked file for writing and reading. */
export type OpenAnonymousFile = () => Promise<FileHandle>

/**
 * The bytes of one request before they are stored, in an unlinked file, so a crash leaves nothing. The file is created
 * with the first block. It grows by appending; only dropped bytes are overwritten. One reused block of memory suffices:
 * garbage of this size would dominate the garbage collector's time.
 */
export interface Spool {
  /** The position of the next byte. */
  readonly sizeBytes: number
  /** Copies the bytes; the caller must flush before more than a block is pending. */
  append: (bytes: Uint8Array) => void
  /** Drops the bytes from this position on. */
  dropFrom: (position: number) => void
  /**
   * Writes pending bytes once they fill half a block; with `all`, always. @throws StorageFullError,
   * StorageUnavailableError
   */
  flush: (options?: { all: boolean }) => Promise<void>
  /**
   * Reads a part of the written bytes, any number of times. Chunks share a few blocks: a chunk is valid until two more
   * are requested.
   * @throws Error when the spool is closed
   */
  read: (start: number, sizeBytes: number) => AsyncGenerator<Uint8Array>
  /** Closes the file; running reads fail. */
  close: () => Promise<void>
}

export function createSpool(openAnonymous: OpenAnonymousFile): Spool {
  let file: Promise<FileHandle> | null = null
  let isClosed = false
  let block: Buffer | null = null
  let waiting = 0
  let written = 0

  const opened = () => {
    if (isClosed) throw new Error('the request of these files is over')
    file ??= openAnonymous()
    return file
  }
  return {
    get sizeBytes() {
      return written + waiting
    },
    append: (bytes) => {
      const needed = waiting + bytes.length
      if (block === null || block.length < needed) {
        const larger = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, needed))
        block?.copy(larger, 0, 0, waiting)
        block = larger
      }
      block.set(bytes, waiting)
      waiting = needed
    },
    dropFrom: (position) => {
      waiting = Math.max(0, position - written)
      written = Math.min(written, position)
    },
    flush: async ({ all } = { all: false }) => {
      if (block === null || waiting < (all ? 1 : BLOCK_BYTES / 2)) return
      await writeWhole(await opened(), block.subarray(0, waiting), written)
      written += waiting
      waiting = 0
    },
    read: async function* (start, length) {
      const blocks = Array.from({ length: READ_BLOCKS }, () => Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, length)))
      for (let at = start, turn = 0; at < start + length; turn += 1) {
        const size = Math.min(BLOCK_BYTES, start + length - at)
        const chunk = (blocks[turn % READ_BLOCKS] as Buffer).subarray(0, size)
        const { bytesRead } = await onDisk((await opened()).read(chunk, 0, size, at))
        if (bytesRead === 0) throw new Error('a spooled file is shorter than what was written')
        at += bytesRead
        yield chunk.subarray(0, bytesRead)
      }
    },
    close: async () => {
      isClosed = true
      block = null
      // A file that failed to open needs no closing.
      const opened = await file?.catch(() => null)
      await opened?.close()
    },
  }
}

/** Creates unlinked files in a folder, which is created when missing. */
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
  for (let done = 0; done < block.length; ) {
    const write = file.write(block, done, block.length - done, position + done)
    done += (await onDisk(write)).bytesWritten
  }
}
