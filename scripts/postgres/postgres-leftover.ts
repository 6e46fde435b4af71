import { existsSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandLineOf, findProcessIdentity, isProcessAlive } from '../../ops/process/process-identity.ts'
import { endProcess, listOwnedProcesses } from '../../ops/process/process-registry.ts'
import { findServerPid } from '../../ops/standby/server-process.ts'

/**
 * Interval at which the end of a killed process is checked, milliseconds. A process ends only after its memory is
 * freed.
 */
const GONE_POLL_MS = 10

/**
 * Prepares a data directory for the start of a server. If a killed launcher left a server running on it, ends this
 * server. If the server is gone, removes its pid file, because another process may have the number by now.
 * @throws if a server runs on the directory whose launcher also still runs
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
 * Kills remaining processes of a server that is gone. A session can outlive its server while it runs a function that
 * cannot be interrupted. No server can start on the data directory as long as such a process exists. The processes are
 * found by their working directory, which is this data directory even if it was deleted (Linux only). If a server runs
 * on the directory now, nothing is killed. Resolves when the processes are gone.
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

/**
 * Returns true if the working directory of a process is the given directory, also if this directory was deleted.
 * @throws if the process has ended
 */
function worksIn(pid: number, directory: string): boolean {
  const place = `/proc/${pid}/cwd`
  if (readlinkSync(place) === `${directory} (deleted)`) return true
  const [placeStat, directoryStat] = [statSync(place), statSync(directory, { throwIfNoEntry: false })]
  return placeStat.dev === directoryStat?.dev && placeStat.ino === directoryStat.ino
}

/** Returns true if the server that the pid file names still runs. */
function isServerOn(cluster: string): boolean {
  const pid = findServerPid(cluster)
  return pid !== null && findProcessIdentity(pid) !== null && commandLineOf(pid).includes(cluster)
}
