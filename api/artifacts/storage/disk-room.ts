import { statfs } from 'node:fs/promises'
import { onDisk } from './disk-failures.ts'
import { makeDirectory } from './make-directory.ts'
import { StorageFullError } from './object-store.ts'

/** Disk space reserved for one put. */
export interface RoomClaim {
  /** Reports bytes that are on the disk now. */
  wrote: (bytes: number) => void
  /** Releases the unwritten part of the claim. */
  release: () => void
}

/**
 * Tracks a disk's free bytes. Unwritten bytes of running puts count as used, and `reserveBytes` stay free for other
 * users of the disk, such as logs or a database. Puts of other processes are unknown here; the reserve covers them.
 */
export interface DiskRoom {
  /** @throws StorageFullError without room for this many bytes */
  require: (sizeBytes: number) => Promise<void>
  /** Checks like `require` and holds the room until it is released. */
  claim: (sizeBytes: number) => Promise<RoomClaim>
}

export function createDiskRoom(directory: string, reserveBytes: number): DiskRoom {
  /** The unwritten bytes of running puts. */
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

/** Returns the free bytes; null when the file system does not report them. */
async function freeBytes(directory: string): Promise<number | null> {
  await makeDirectory(directory)
  const { bavail, bsize, blocks } = await statfs(directory)
  return blocks === 0 ? null : bavail * bsize
}
