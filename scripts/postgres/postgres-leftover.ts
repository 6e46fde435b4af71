import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandLineOf, findProcessIdentity, isProcessAlive } from '../../ops/process/process-identity.ts'
import { endProcess, listOwnedProcesses } from '../../ops/process/process-registry.ts'
import { findServerPid } from '../../ops/standby/server-process.ts'

/** A killed process frees its memory before it is gone, milliseconds between two looks. */
const GONE_POLL_MS = 10

/**
 * Makes `cluster` (a data directory) free to start on: ends a server that a killed launcher left running there, and
 * removes the pid file of one that is gone, whose number another process may bear by now.
 * @throws when the server there belongs to a launcher that still runs
 */
export async function endServerOn(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = findServerPid(cluster)
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
  await killSessionsOf(cluster)
}

/**
 * Ends processes of a server that is gone: a session in a function that cannot be interrupted outlives it, and no
 * server starts on a data directory that a process still uses. They work in that directory, by which they are found
 * (Linux). Those of a server that runs there now are left alone. Resolves when the processes are gone.
 */
export async function killSessionsOf(cluster: string): Promise<void> {
  if (!existsSync('/proc/self/cwd') || !existsSync(cluster)) return
  if (isServerOn(cluster)) return
  const directory = statSync(cluster)
  const killed: { pid: number; identity: string }[] = []
  for (const name of readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))) {
    const pid = Number(name)
    try {
      const place = statSync(`/proc/${name}/cwd`)
      const isThere = place.dev === directory.dev && place.ino === directory.ino
      if (!isThere || pid === process.pid || !commandLineOf(pid).startsWith('postgres: ')) continue
      const identity = findProcessIdentity(pid)
      process.kill(pid, 'SIGKILL')
      if (identity !== null) killed.push({ pid, identity })
    } catch {
      // It ended meanwhile, or is another user's.
    }
  }
  for (const { pid, identity } of killed) while (isProcessAlive(pid, identity)) await delay(GONE_POLL_MS)
}

/** Whether the server that the pid file names runs. */
function isServerOn(cluster: string): boolean {
  const pid = findServerPid(cluster)
  return pid !== null && findProcessIdentity(pid) !== null && commandLineOf(pid).includes(cluster)
}
