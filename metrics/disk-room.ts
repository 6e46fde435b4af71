import { statfs } from 'node:fs/promises'

/** Room on the disk of a folder, bytes. */
export interface DiskRoom {
  /** Bytes that this process may still write. */
  freeBytes: number
  sizeBytes: number
  /** Files that can still be made; null: the file system has no limit of them. */
  freeFiles: number | null
}

/** @throws where the folder is not there */
export async function readDiskRoom(directory: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(directory)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, freeFiles: files === 0 ? null : ffree }
}
