import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findParent } from '../process/process-identity.ts'

/** The first process of the PostgreSQL server on a data directory, as its pid file names it; null: there is no such file. */
export function findServerPid(dataDirectory: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}

/**
 * The memory that processes of parallel queries share, in bytes, of a server that has it in files
 * (`dynamic_shared_memory_type = mmap`): no bound of a process counts it.
 */
export function sharedBytesOf(dataDirectory: string): number {
  try {
    const directory = join(dataDirectory, 'pg_dynshmem')
    return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
  } catch {
    // One was deleted meanwhile: the next look counts again.
    return 0
  }
}

/**
 * Kills one session of the server on `dataDirectory`. PostgreSQL then ends every other session, because the killed one may
 * have left shared memory broken, and starts again by itself.
 * @param pid a process of that server; a process of anything else is left alone
 * @returns false when it may not be killed from here
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
