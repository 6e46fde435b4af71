import { existsSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
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
  const identity = pid === null ? null : findProcessIdentity(pid)
  if (pid !== null && identity !== null && commandLineOf(pid).includes(cluster)) {
    const ownedProcess = listOwnedProcesses().find((record) => record.pid === pid)
    if (ownedProcess !== undefined) {
      throw new Error(`process ${ownedProcess.ownerPid} is using the database in ${cluster}; stop it first`)
    }
    await endProcess(pid, identity, 'SIGINT')
  }
  rmSync(pidFile, { force: true })
  await killSessionsOf(cluster)
}

/**
 * Ends processes of a server that is gone: a session in a function that cannot be interrupted outlives it, and no
 * server starts on a data directory that a process still uses. They work in that directory, by which they are found
 * (Linux), deleted or not. Those of a server that runs there now are left alone. Resolves when the processes are gone.
 */
export async function killSessionsOf(cluster: string): Promise<void> {
  if (!existsSync('/proc/self/cwd')) return
  if (isServerOn(cluster)) return
  const killedProcesses: { pid: number; identity: string }[] = []
  for (const name of readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))) {
    const pid = Number(name)
    try {
      if (pid === process.pid || !commandLineOf(pid).startsWith('postgres: ') || !worksIn(pid, cluster)) continue
      const identity = findProcessIdentity(pid)
      process.kill(pid, 'SIGKILL')
      if (identity !== null) killedProcesses.push({ pid, identity })
    } catch {
      // It ended meanwhile, or is another user's.
    }
  }
  for (const { pid, identity } of killedProcesses) while (isProcessAlive(pid, identity)) await delay(GONE_POLL_MS)
}

/** True for a process whose working directory is this one, or was it before it was deleted. @throws when it ended */
function worksIn(pid: number, directory: string): boolean {
  const place = `/proc/${pid}/cwd`
  if (readlinkSync(place) === `${directory} (deleted)`) return true
  const [placeStat, directoryStat] = [statSync(place), statSync(directory, { throwIfNoEntry: false })]
  return placeStat.dev === directoryStat?.dev && placeStat.ino === directoryStat.ino
}

/** Returns true if the server in the pid file runs. */
function isServerOn(cluster: string): boolean {
  const pid = findServerPid(cluster)
  return pid !== null && findProcessIdentity(pid) !== null && commandLineOf(pid).includes(cluster)
}
