import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findParent } from '../process/process-identity.ts'

/**
 * Returns the pid of the PostgreSQL server's first process, from the pid file in its data directory; null if there is
 * no such file.
 */
export function findServerPid(dataDirectory: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}

/**
 * Returns the size in bytes of the shared memory of parallel queries. The memory limit of a process does not include
 * this memory. The server must store the memory in files (`dynamic_shared_memory_type = mmap`).
 */
export function sharedBytesOf(dataDirectory: string): number {
  try {
    const directory = join(dataDirectory, 'pg_dynshmem')
    return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
  } catch {
    // A file was deleted meanwhile; the next reading counts again.
    return 0
  }
}

/**
 * Kills one session of the server on `dataDirectory`. PostgreSQL then ends every other session and restarts, because
 * the shared memory may be broken.
 * @param pid a process of the server; any other process is not killed
 * @returns false if the process was not killed: the process is not the server's, has ended, or belongs to another user
 */
export function killSession(dataDirectory: string, pid: number): boolean {
  const server = findServerPid(dataDirectory)
  if (server === null || findParent(pid) !== server) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    // It ended meanwhile, or belongs to another user.
    return false
  }
}
