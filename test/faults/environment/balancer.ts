import { pollUntil } from '../poll-until.ts'
import type { Replica } from './replica.ts'

/** Chooses the API process of the next request. */
export interface Balancer {
  /** One that is up; waits for one until `signal` aborts, then throws. */
  choose(signal: AbortSignal): Promise<Replica>
  prefer(replica: Replica | null): void
}

/** Longer than any client waits, milliseconds. */
const MAX_WAIT_MS = 600_000

/** Round robin among those that are up. */
export function createBalancer(replicas: readonly Replica[]): Balancer {
  let turn = 0
  let preferred: Replica | null = null
  const findUp = (): Replica | null => {
    if (preferred?.state === 'up') return preferred
    const up = replicas.filter(({ state }) => state === 'up')
    return up[turn++ % up.length] ?? null
  }
  return {
    choose: (signal) =>
      pollUntil(
        'an API process to be up',
        () => {
          signal.throwIfAborted()
          return findUp()
        },
        MAX_WAIT_MS,
      ),
    prefer: (replica) => {
      preferred = replica
    },
  }
}
