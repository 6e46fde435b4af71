import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { processorsOfStrangers, TASKSET } from '../../api/concurrency/processors-of-strangers.ts'
import { commandLineOf } from '../process/process-identity.ts'

/** Maximum time in milliseconds that a new session runs at the usual priority. */
const INTERVAL_MS = 100
/** Maximum number of times that a process is examined. A process can become a client session after the first look. */
const MAX_LOOKS = 20

/**
 * Gives every session of `logins` the lowest priority, and keeps these sessions off one processor. Any other work on
 * this machine, such as the replay of a standby, therefore comes first. Works only on Linux.
 *
 * Example: `lowerSessions(() => server.pid, ['market_reader'])`.
 * @param findServer returns the pid of the server's first process; null if the server does not run
 * @returns a function that stops the lowering
 */
export function lowerSessions(findServer: () => number | null, logins: readonly string[]): () => void {
  /**
   * The number of times that each running process was examined. An identified session is not examined again, because
   * its login never changes.
   */
  let looks = new Map<number, number>()
  const timer = setInterval(() => {
    const before = looks
    looks = new Map()
    const server = findServer()
    for (const pid of server === null ? [] : childrenOf(server)) {
      const count = before.get(pid) ?? 0
      const isKnown = count >= MAX_LOOKS || lowerIfOf(pid, logins)
      looks.set(pid, isKnown ? MAX_LOOKS : count + 1)
    }
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

/**
 * Lowers the priority of the process `pid` if the process serves a session of one of `logins`, or if it is a parallel
 * worker of a session of one of `logins`.
 * @returns true if no further examination is needed: the process belongs to a session of any login, or has ended
 */
function lowerIfOf(pid: number, logins: readonly string[]): boolean {
  try {
    const title = commandLineOf(pid)
    // A session can start parallel workers, which compute for it.
    const leader = /^postgres: parallel worker for PID (\d+)/.exec(title)?.[1]
    const session = leader === undefined ? title : commandLineOf(Number(leader))
    if (logins.some((login) => session.startsWith(`postgres: ${login} `))) lower(pid)
    return /^postgres: \S+ \S+ \S+\(\d+\)/.test(session)
  } catch {
    // The process ended meanwhile.
    return true
  }
}

function lower(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_LOW)
  const processors = processorsOfStrangers()
  if (processors === null) return
  const change = spawn(TASKSET, ['--cpu-list', '--pid', processors, String(pid)], { stdio: 'ignore' })
  // Without it the priority still applies.
  change.on('error', () => {})
}
