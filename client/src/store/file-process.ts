import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A running process of this machine. */
export interface RunningProcess {
  /**
   * The start time of the process; empty if the platform does not provide the time. The operating system can give the
   * id of an ended process to a new process. The start time then tells the two processes apart.
   */
  start: string
  /** True if the process has ended, but its parent has not collected the exit code yet. */
  isDefunct: boolean
}

/** The name of this process, which is unique across all machines and at all times. */
export const processName = `${hostname()}:${process.pid}:${findProcess(process.pid)?.start ?? ''}:${randomUUID()}`

/**
 * Reports whether the process with this name may still be running. A process of another machine always counts as
 * running.
 * @example isProcessAlive('pod-1:4711:9f1c2b3a-88123:3f9a4c8e-1d2b-4c6a-9e8f-0a1b2c3d4e5f')
 */
export function isProcessAlive(name: string): boolean {
  if (name === processName) return true
  const [host, id, start = ''] = name.split(':')
  const pid = Number(id)
  if (host !== hostname()) return true
  // The name is of an earlier process with the id of this one.
  if (pid === process.pid || !Number.isSafeInteger(pid) || pid <= 0) return false
  const foundProcess = findProcess(pid)
  if (foundProcess === null || foundProcess.isDefunct) return false
  return start === '' || foundProcess.start === '' || start === foundProcess.start
}

/** Returns the running process with a process id; null if there is none. */
export function findProcess(pid: number): RunningProcess | null {
  return process.platform === 'linux' ? readProc(pid) : askSignal(pid)
}

/**
 * Reads a process from Linux's `/proc`; null if there is no such process. The start time consists of the boot id and
 * the clock ticks since the boot.
 */
function readProc(pid: number): RunningProcess | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return askSignal(pid)
  }
  // The second field is the program's name, which may contain spaces and brackets.
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
