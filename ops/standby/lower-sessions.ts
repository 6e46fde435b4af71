import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { processorsOfStrangers, TASKSET } from '../../api/concurrency/processors-of-strangers.ts'
import { commandLineOf } from '../process/process-identity.ts'

/** How long a new session runs at the usual priority, milliseconds. */
const INTERVAL_MS = 100
/** Looks at a process that is no session of a client: until it says what it is, it may become one. */
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
  /** Looks at each process that runs; a session keeps its login, so what is known of it stays true. */
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

/** @returns whether the process is a session of a known login, or works for one */
function lowerIfOf(pid: number, logins: readonly string[]): boolean {
  try {
    const title = commandLineOf(pid)
    // A session that sets so itself has other processes compute for it.
    const leader = /^postgres: parallel worker for PID (\d+)/.exec(title)?.[1]
    const session = leader === undefined ? title : commandLineOf(Number(leader))
    if (logins.some((login) => session.startsWith(`postgres: ${login} `))) lower(pid)
    return /^postgres: \S+ \S+ \S+\(\d+\)/.test(session)
  } catch {
    // It ended meanwhile.
    return true
  }
}

function lower(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_LOW)
  const processors = processorsOfStrangers()
  if (processors === null) return
  const change = spawn(TASKSET, ['--cpu-list', '--pid', processors, String(pid)], { stdio: 'ignore' })
  // Without it the priority holds.
  change.on('error', () => {})
}
