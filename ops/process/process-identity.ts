import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * What distinguishes a process from a later one with the same pid: the moment it started, as the system records it.
 * Null when no such process runs (a zombie counts as gone).
 */
export function findProcessIdentity(pid: number): string | null {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid)
}

/** True while the very process that had `identity` still runs. */
export function isProcessAlive(pid: number, identity: string): boolean {
  return findProcessIdentity(pid) === identity
}

/** The command line of a running process, its arguments separated by spaces; empty when there is none. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  } catch {
    return ''
  }
}

function identityFromProc(pid: number): string | null {
  try {
    // The command name in parentheses may hold anything, so fields are counted from its end: state is the first
    // after it, the start time (ticks since boot) the twentieth.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

function identityFromPs(pid: number): string | null {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } })
  const line = ps.stdout?.trim() ?? ''
  return line === '' || line.startsWith('Z') ? null : line.slice(line.indexOf(' ') + 1).trim()
}
