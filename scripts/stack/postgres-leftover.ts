import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandLineOf, findProcessIdentity } from './process-identity.ts'
import { endProcess, listOwnedProcesses } from './process-registry.ts'

/**
 * Makes `cluster` (a data directory) free to start on: ends a server that a killed launcher left running there, and
 * removes the pid file of one that is gone, whose number another process may bear by now.
 * @throws when the server there belongs to a launcher that still runs
 */
export async function endServerOn(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = readPid(pidFile)
  if (pid === null) return
  const identity = findProcessIdentity(pid)
  if (identity !== null && commandLineOf(pid).includes(cluster)) {
    const owned = listOwnedProcesses().find((record) => record.pid === pid)
    if (owned !== undefined) {
      throw new Error(`process ${owned.ownerPid} is using the database in ${cluster}; stop it first`)
    }
    await endProcess(pid, identity, 'SIGINT')
  }
  rmSync(pidFile, { force: true })
}

function readPid(pidFile: string): number | null {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}
