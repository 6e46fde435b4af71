import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A file system in memory, where a system has one. */
const MEMORY_FILES = '/dev/shm'
/** Bytes that must be free: several times what a test run's databases take together. */
const FREE_BYTES = 4 * 1024 ** 3

/**
 * Returns the parent directory for the data of a short-lived server: in memory if there is room, otherwise the temporary
 * directory. A copy of a database is hundreds of new files, and ext4 searches for each among the inodes that were deleted in the
 * last seconds: a fifth of the CPU time of tests that make and drop a database each.
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
