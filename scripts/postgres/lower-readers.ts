import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { commandLineOf } from '../../ops/process/process-identity.ts'

/** How long a new session runs at the usual priority, milliseconds. */
const INTERVAL_MS = 100

/**
 * Keeps every session of `login` at the lowest priority, so that everything else on this machine goes first: the
 * service does this for its own queries only, and a session straight on the login has no other bound on its share of a
 * processor. Linux; elsewhere nothing happens.
 * @param serverPid the server's first process
 * @returns what ends it
 */
export function lowerReaders(serverPid: number, login: string): () => void {
  const timer = setInterval(() => {
    for (const pid of childrenOf(serverPid)) lowerIfReader(pid, login)
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

function lowerIfReader(pid: number, login: string): void {
  try {
    const title = commandLineOf(pid)
    // A session that sets so itself has other processes compute for it.
    const leader = /^postgres: parallel worker for PID (\d+)/.exec(title)?.[1]
    const session = leader === undefined ? title : commandLineOf(Number(leader))
    if (session.startsWith(`postgres: ${login} `)) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It ended meanwhile.
  }
}
