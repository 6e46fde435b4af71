import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onDisk } from './storage/disk-failures.ts'
import { makeDirectory } from './storage/make-directory.ts'

/** Most bytes that are written and read at once. */
const BLOCK_BYTES = 256 * 1024
/** One that is filled, one that is held back (exact-bytes.ts), one that is written elsewhere. */
const READ_BLOCKS = 3

/** Opens a file without a name, to write and to read. */
export type OpenAnonymousFile = () => Promise<FileHandle>

/**
 * Bytes of one request on their way to storage, in a file without a name: a process that dies leaves nothing. It is
 * made with the first block; appended to, never rewritten but for what was dropped. One block of memory is all it
 * takes, used again and again: garbage of this size would be what the service collects most of its time.
 */
export interface Spool {
  /** Where the next byte goes. */
  readonly sizeBytes: number
  /** Takes a copy of the bytes; a flush is due before it is more than a block. */
  append: (bytes: Uint8Array) => void
  /** Forgets the bytes from here on. */
  dropFrom: (position: number) => void
  /** Writes what fills half a block; `all`: whatever there is. @throws StorageFullError, StorageUnavailableError */
  flush: (options?: { all: boolean }) => Promise<void>
  /**
   * A part of what was written, as often as asked. Its chunks take turns in few blocks: one is there until two more
   * were asked for.
   * @throws Error when the spool is closed
   */
  read: (start: number, sizeBytes: number) => AsyncGenerator<Uint8Array>
  /** Gives the room back; who still reads gets an error. */
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
      // One that could not be opened has nothing to close.
      const opened = await file?.catch(() => null)
      await opened?.close()
    },
  }
}

/** Files without a name in a folder; it is made when it is missing. */
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
