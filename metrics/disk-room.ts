import { statfs } from 'node:fs/promises'

/** The free space on the disk that contains a folder. */
export interface DiskRoom {
  /** The number of bytes that this process may still write. */
  freeBytes: number
  /** The size of the disk, bytes. */
  sizeBytes: number
  /** The number of files that can still be created; null if the file system has no limit. */
  freeFiles: number | null
}

/**
 * Reads the free space of the disk that contains a folder.
 * @throws Error when the folder does not exist
 * @example (await readDiskRoom('/var/lib/market')).freeBytes
 */
export async function readDiskRoom(directory: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(directory)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, freeFiles: files === 0 ? null : ffree }
}
