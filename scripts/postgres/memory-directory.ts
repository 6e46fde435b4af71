import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Directory of the file system in memory, if the operating system has one. */
const MEMORY_FILES = '/dev/shm'
/** Number of bytes that must be free. It is several times the size of all databases of a test run. */
const FREE_BYTES = 4 * 1024 ** 3

/**
 * Returns the parent directory for the data of a short-lived server. It is in memory if there is room, otherwise it is
 * the temporary directory. Tests create and drop many databases, each with hundreds of files. On ext4, creating so many
 * files takes a fifth of the CPU time of such tests, because ext4 skips recently deleted inodes.
 */
export function shortLivedDirectory(): string {
  return hasRoom() ? MEMORY_FILES : tmpdir()
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FILES)
    return bavail * bsize >= FREE_BYTES && process.availableMemory() >= 2 * FREE_BYTES
  } catch {
    return false
  }
}
