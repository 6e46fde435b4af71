import { statfs } from 'node:fs/promises'
import { onDisk } from './disk-failures.ts'
import { makeDirectory } from './make-directory.ts'
import { StorageFullError } from './object-store.ts'

/** Room that a put has been given. */
export interface RoomClaim {
  /** So many bytes of it are on the disk now. */
  wrote: (bytes: number) => void
  /** What is left of it is free again. */
  release: () => void
}

/**
 * Looks after a disk's free bytes: what puts in progress have yet to write counts as taken, and `reserveBytes` stay
 * free for others (logs, a database on the same disk). Other processes' puts are not known here: the reserve is what
 * bears them.
 */
export interface DiskRoom {
  /** @throws StorageFullError when there is no room for so many bytes now */
  require: (sizeBytes: number) => Promise<void>
  /** The same, and keeps the room until it is released. */
  claim: (sizeBytes: number) => Promise<RoomClaim>
}

export function createDiskRoom(directory: string, reserveBytes: number): DiskRoom {
  /** Bytes that puts in progress have yet to write. */
  let claimed = 0
  const claim = async (sizeBytes: number): Promise<RoomClaim> => {
    let unwritten = sizeBytes
    const take = (bytes: number) => {
      unwritten -= bytes
      claimed -= bytes
    }
    claimed += sizeBytes
    try {
      const free = await onDisk(freeBytes(directory))
      if (free !== null && free < claimed + reserveBytes) {
        const cause = new Error(`${free} bytes are free, ${claimed} are to come and ${reserveBytes} stay free`)
        throw new StorageFullError({ cause })
      }
      return { wrote: take, release: () => take(unwritten) }
    } catch (error) {
      take(unwritten)
      throw error
    }
  }
  return {
    claim,
    require: async (sizeBytes) => {
      const { release } = await claim(sizeBytes)
      release()
    },
  }
}

/** Null: the file system does not say. */
async function freeBytes(directory: string): Promise<number | null> {
  await makeDirectory(directory)
  const { bavail, bsize, blocks } = await statfs(directory)
  return blocks === 0 ? null : bavail * bsize
}
