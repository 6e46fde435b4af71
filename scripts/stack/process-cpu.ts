import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine, as Linux describes it in /proc. */
export interface ProcessCpu {
  pid: number
  parent: number
  command: string
  /** Processor time that all threads of the process have used since its start, seconds. */
  seconds: number
  /** Processor time of child processes that have ended, and of their own ended children, seconds. */
  secondsOfEnded: number
}

/** Number of clock ticks per second in /proc. It is a hundred, whatever clock the kernel uses. */
const TICKS_A_SECOND = 100

/** Lists this process and all processes that it has started, directly or indirectly. @throws if there is no /proc */
export function listOwnProcesses(): ProcessCpu[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcess(pid))
  const ownPids = new Set([process.pid])
  for (let size = 0; size !== ownPids.size; ) {
    size = ownPids.size
    for (const { pid, parent } of all) if (ownPids.has(parent)) ownPids.add(pid)
  }
  return all.filter(({ pid }) => ownPids.has(pid))
}

function readProcess(pid: string): ProcessCpu[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    // The name before them may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / TICKS_A_SECOND
    return [{ pid: Number(pid), parent: Number(fields[1]), command, seconds: ticks(11), secondsOfEnded: ticks(13) }]
  } catch {
    // It has ended meanwhile.
    return []
  }
}
