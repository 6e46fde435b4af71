import { pollUntil } from '../poll-until.ts'
import type { Replica } from './replica.ts'

/** Where the next request goes. */
export interface Balancer {
  /** One that is up; waits for one until `signal` comes, then throws. */
  choose(signal: AbortSignal): Promise<Replica>
  prefer(replica: Replica | null): void
}

/** Longer than any client is patient, milliseconds. */
const MOST_PATIENCE_MS = 600_000

/** In turn, among those that are up. */
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
        MOST_PATIENCE_MS,
      ),
    prefer: (replica) => {
      preferred = replica
    },
  }
}
