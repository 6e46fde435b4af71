import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { commandLineOf } from '../../ops/process/process-identity.ts'

/** How long a new session runs at the usual priority, milliseconds. */
const INTERVAL_MS = 100
/** Looks at a process that is no session of a client: until it says what it is, it may become one. */
const MAX_LOOKS = 20

/**
 * Keeps every session of `login` at the lowest priority, so that everything else on this machine goes first: the
 * service does this for its own queries only, and a session straight on the login has no other bound on its share of a
 * processor. Linux; elsewhere nothing happens.
 * @param serverPid the server's first process
 * @returns what ends it
 */
export function lowerReaders(serverPid: number, login: string): () => void {
  /** Looks at each process that runs; a session keeps its login, so what is known of it stays true. */
  let looks = new Map<number, number>()
  const timer = setInterval(() => {
    const known = looks
    looks = new Map()
    for (const pid of childrenOf(serverPid)) {
      const before = known.get(pid) ?? 0
      const isKnown = before >= MAX_LOOKS || lowerIfReader(pid, login)
      looks.set(pid, isKnown ? MAX_LOOKS : before + 1)
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
function lowerIfReader(pid: number, login: string): boolean {
  try {
    const title = commandLineOf(pid)
    // A session that sets so itself has other processes compute for it.
    const leader = /^postgres: parallel worker for PID (\d+)/.exec(title)?.[1]
    const session = leader === undefined ? title : commandLineOf(Number(leader))
    if (session.startsWith(`postgres: ${login} `)) setPriority(pid, constants.priority.PRIORITY_LOW)
    return /^postgres: \S+ \S+ \S+\(\d+\)/.test(session)
  } catch {
    // It ended meanwhile.
    return true
  }
}
