import { statfs } from 'node:fs/promises'

/** Room on the disk of a folder, bytes. */
export interface DiskRoom {
  /** What this process may still write. */
  freeBytes: number
  sizeBytes: number
}

/** @throws where the folder is not there */
export async function readDiskRoom(directory: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}
