import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns the start time of a process; null if no such process runs. A zombie does not count as running. The start time
 * distinguishes a process from a later process with the same pid.
 */
export function findProcessIdentity(pid: number): string | null {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid)
}

/** Returns true while the process with this `identity` runs. */
export function isProcessAlive(pid: number, identity: string): boolean {
  return findProcessIdentity(pid) === identity
}

/**
 * Returns the command line of a running process, with spaces between its arguments; an empty text if no such process
 * runs.
 */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  } catch {
    return ''
  }
}

/** Returns the pid of a process's parent; null if the process does not run. */
export function findParent(pid: number): number | null {
  const parent =
    process.platform === 'linux'
      ? statOf(pid)?.[1]
      : spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim()
  return parent === undefined || parent === '' ? null : Number(parent)
}

/**
 * Returns the fields of `/proc/<pid>/stat`, without the first two (the pid and the command's name); null if there is no
 * such process. Index 0 is the process's state, index 1 the parent's pid, and index 19 the start time in ticks since
 * boot.
 */
function statOf(pid: number): string[] | null {
  try {
    // The command name in parentheses may contain anything, so fields are counted from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

function identityFromProc(pid: number): string | null {
  const fields = statOf(pid)
  return fields === null || fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
}

function identityFromPs(pid: number): string | null {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } })
  const line = ps.stdout?.trim() ?? ''
  return line === '' || line.startsWith('Z') ? null : line.slice(line.indexOf(' ') + 1).trim()
}
