import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findParent } from '../process/process-identity.ts'

/** Returns the first process of the PostgreSQL server on a data directory, from its pid file; null: there is no such file. */
export function findServerPid(dataDirectory: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}

/**
 * Returns the shared memory of parallel queries, bytes, on a server that has it in files (`dynamic_shared_memory_type = mmap`).
 * No limit of a process includes it.
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
 * Kills one session of the server on `dataDirectory`. PostgreSQL then ends every other session, because the killed one may have
 * left shared memory broken, and restarts by itself.
 * @param pid a process of that server; any other process is left alone
 * @returns false if this process may not kill it
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
