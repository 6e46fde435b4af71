import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onDisk } from '../storage/disk-failures.ts'

/** Bytes that are written and read at once. */
const BLOCK_BYTES = 256 * 1024

/** Opens a file without a name, to write and to read. */
export type OpenNameless = () => Promise<FileHandle>

/**
 * Bytes of one request on their way to storage, in a file without a name: a process that dies leaves nothing. It is
 * made with the first block; appended to, never rewritten but for what was dropped.
 */
export interface Spool {
  /** Where the next byte goes. */
  readonly sizeBytes: number
  /** Takes bytes; they are the spool's from then on. */
  append: (bytes: Uint8Array) => void
  /** Forgets the bytes from here on. */
  dropFrom: (position: number) => void
  /** Writes what makes a block; `all`: whatever there is. @throws StorageFullError, StorageUnavailableError */
  flush: (options?: { all: boolean }) => Promise<void>
  /**
   * A part of what was written, as often as asked. `isReused`: all in the same memory, each chunk there only until the
   * next one is asked for.
   * @throws Error when the spool is closed
   */
  read: (start: number, sizeBytes: number, options?: { isReused: boolean }) => AsyncGenerator<Uint8Array>
  /** Gives the room back; who still reads gets an error. */
  close: () => Promise<void>
}

export function createSpool(openNameless: OpenNameless): Spool {
  let file: Promise<FileHandle> | null = null
  let isClosed = false
  let waiting: Uint8Array[] = []
  let written = 0
  let sizeBytes = 0

  const opened = () => {
    if (isClosed) throw new Error('the request of these files is over')
    file ??= openNameless()
    return file
  }
  return {
    get sizeBytes() {
      return sizeBytes
    },
    append: (bytes) => {
      waiting.push(bytes)
      sizeBytes += bytes.length
    },
    dropFrom: (position) => {
      let start = written
      waiting = waiting.flatMap((bytes) => {
        const kept = bytes.subarray(0, Math.max(0, position - start))
        start += bytes.length
        return kept.length === 0 ? [] : [kept]
      })
      written = Math.min(written, position)
      sizeBytes = position
    },
    flush: async ({ all } = { all: false }) => {
      const length = sizeBytes - written
      if (length === 0 || (length < BLOCK_BYTES && !all)) return
      const block = Buffer.concat(waiting, length)
      waiting = []
      await writeWhole(await opened(), block, written)
      written += length
    },
    read: async function* (start, length, { isReused } = { isReused: false }) {
      const reused = isReused ? Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, length)) : null
      for (let at = start; at < start + length; ) {
        const size = Math.min(BLOCK_BYTES, start + length - at)
        const block = reused?.subarray(0, size) ?? Buffer.allocUnsafeSlow(size)
        const file = await opened()
        const { bytesRead } = await onDisk(file.read(block, 0, block.length, at))
        if (bytesRead === 0) throw new Error('a spooled file is shorter than what was written')
        at += bytesRead
        yield block.subarray(0, bytesRead)
      }
    },
    close: async () => {
      isClosed = true
      waiting = []
      // One that could not be opened has nothing to close.
      const opened = await file?.catch(() => null)
      await opened?.close()
    },
  }
}

/** Files without a name in a folder; it is made when it is missing. */
export function namelessIn(directory: string): OpenNameless {
  return () => onDisk(openNameless(directory))
}

async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, randomUUID())
  await mkdir(directory, { recursive: true })
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
