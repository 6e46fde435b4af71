import { statfs } from 'node:fs/promises'
import { onDisk } from './disk-failures.ts'
import { makeDirectory } from './make-directory.ts'
import { StorageFullError } from './object-store.ts'

/** Disk space that is reserved for storing one object. */
export interface RoomClaim {
  /** Reports that bytes of the object were written to the disk. */
  wrote: (bytes: number) => void
  /** Releases the part of the reservation that was not written. */
  release: () => void
}

/**
 * Tracks the free bytes of a disk. Bytes that this process is about to write count as used. `reserveBytes` bytes always
 * stay free for other processes.
 */
export interface DiskRoom {
  /**
   * Checks that the disk has room for this many bytes. Reserves no space.
   * @throws StorageFullError
   */
  require: (sizeBytes: number) => Promise<void>
  /** Checks the free space like `require`, and reserves the space until it is released. */
  claim: (sizeBytes: number) => Promise<RoomClaim>
}

export function createDiskRoom(directory: string, reserveBytes: number): DiskRoom {
  /** The reserved bytes that are not written yet, for all objects that are being stored. */
  let claimedBytes = 0
  const claim = async (sizeBytes: number): Promise<RoomClaim> => {
    let unwrittenBytes = sizeBytes
    const take = (bytes: number) => {
      unwrittenBytes -= bytes
      claimedBytes -= bytes
    }
    claimedBytes += sizeBytes
    try {
      const availableBytes = await onDisk(freeBytes(directory))
      if (availableBytes !== null && availableBytes < claimedBytes + reserveBytes) {
        const cause = new Error(
          `${availableBytes} bytes are free, ${claimedBytes} are to come and ${reserveBytes} stay free`,
        )
        throw new StorageFullError({ cause })
      }
      return { wrote: take, release: () => take(unwrittenBytes) }
    } catch (error) {
      take(unwrittenBytes)
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

/** Returns the free bytes of the disk, or null if the file system does not report them. */
async function freeBytes(directory: string): Promise<number | null> {
  await makeDirectory(directory)
  const { bavail, bsize, blocks } = await statfs(directory)
  return blocks === 0 ? null : bavail * bsize
}
