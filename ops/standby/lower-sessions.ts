import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { processorsOfStrangers, TASKSET } from '../../api/concurrency/processors-of-strangers.ts'
import { commandLineOf } from '../process/process-identity.ts'

/** Maximum time of a new session at the usual priority, milliseconds. */
const INTERVAL_MS = 100
/** Maximum readings of a process that is no client session yet; it may become one. */
const MAX_LOOKS = 20

/**
 * Keeps every session of `logins` at the lowest priority and off one processor, so that everything else on this machine
 * goes first, the replay of a standby too: the service does this for its own queries only, and a session straight on a
 * login has no other bound on its share of a processor. Linux; elsewhere nothing happens.
 * Example: `lowerSessions(() => server.pid, ['market_reader'])`.
 * @param findServer the server's first process; null: it does not run now
 * @returns what ends it
 */
export function lowerSessions(findServer: () => number | null, logins: readonly string[]): () => void {
  /** Readings of each running process. A session keeps its login, so its result stays true. */
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

/** Lowers a process. @returns true if it is a session with a login, or a worker of one */
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
