import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process of this machine. */
export interface RunningProcess {
  /** Distinguishes it from an earlier and a later process of the same id; empty where the platform has no such fact. */
  start: string
  /** It has ended, and its parent has not yet collected its exit code. */
  isDefunct: boolean
}

/** The name of this process; no other process of any machine has it, before or after. */
export const processName = `${hostname()}:${process.pid}:${findProcess(process.pid)?.start ?? ''}:${randomUUID()}`

/**
 * Says whether the process of that name may be running. A process of another machine may.
 * @example isProcessAlive('pod-1:4711:9f1c2b3a-88123:3f9a4c8e-1d2b-4c6a-9e8f-0a1b2c3d4e5f')
 */
export function isProcessAlive(name: string): boolean {
  if (name === processName) return true
  const [host, id, start = ''] = name.split(':')
  const pid = Number(id)
  if (host !== hostname()) return true
  // An earlier process had the id of this one.
  if (pid === process.pid || !Number.isSafeInteger(pid) || pid <= 0) return false
  const found = findProcess(pid)
  if (found === null || found.isDefunct) return false
  return start === '' || found.start === '' || start === found.start
}

/** The process of an id; null: there is none. */
export function findProcess(pid: number): RunningProcess | null {
  return process.platform === 'linux' ? readProc(pid) : askSignal(pid)
}

/** Linux counts a process's start in clock ticks since boot, so that the boot belongs to it. */
function readProc(pid: number): RunningProcess | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return askSignal(pid)
  }
  // The second field is the program's name, which may have spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = ''] = fields
  const ticks = fields[19] ?? ''
  return { start: ticks === '' ? '' : `${bootId()}-${ticks}`, isDefunct: state === 'Z' || state === 'X' }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  } catch {
    return 'boot'
  }
}

function askSignal(pid: number): RunningProcess | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  return { start: '', isDefunct: false }
}
