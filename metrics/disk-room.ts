import { statfs } from 'node:fs/promises'

/** Free space on the disk of a folder. */
export interface DiskRoom {
  /** Bytes that this process may still write. */
  freeBytes: number
  sizeBytes: number
  /** Number of files that can still be created; null: the file system has no limit. */
  freeFiles: number | null
}

/**
 * Reads the free space of a folder's disk.
 * @throws Error when the folder does not exist
 * @example (await readDiskRoom('/var/lib/market')).freeBytes
 */
export async function readDiskRoom(directory: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(directory)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, freeFiles: files === 0 ? null : ffree }
}
