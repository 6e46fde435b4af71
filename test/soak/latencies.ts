import { quantileOf } from '../bench/figures/statistics.ts'

/** Kind of a request: each has a p99 of its own. */
export type RequestKind = 'writes' | 'reads' | 'GraphQL' | 'SQL'

/** Requests of a run, counted and timed. */
export interface Latencies {
  /** Sends one; throws nothing. One that a fault touched is counted as sent alone; one without a kind is not timed. */
  time(kind: RequestKind | null, what: string, request: () => Promise<unknown>): Promise<void>
  /** p99 of each kind since the last call, ms; without kinds of which there were too few. */
  take(): Partial<Record<RequestKind, number>>
  readonly sent: number
  /** Requests that failed outside of faults: how many, and the first of them in words. */
  readonly failures: { count: number; examples: string[] }
}

/** Fewer say nothing of a p99. */
const FEWEST = 20
const MOST_EXAMPLES = 20

/** How a run tells its requests from those that a fault touched. */
interface LatenciesOptions {
  /** Tells whether a fault, or the time after one, touches the time since then (performance.now()). */
  isDisturbed(startedAt: number): boolean
  /** Receives the line of a failure. */
  say(line: string): void
}

export function createLatencies({ isDisturbed, say }: LatenciesOptions): Latencies {
  const taken = new Map<RequestKind, number[]>()
  const failures = { count: 0, examples: [] as string[] }
  let sent = 0
  const fail = (text: string) => {
    failures.count += 1
    say(`failed: ${text}`)
    if (failures.examples.length < MOST_EXAMPLES) failures.examples.push(text)
  }
  return {
    time: async (kind, what, request) => {
      sent += 1
      const startedAt = performance.now()
      const error = await request().then(
        () => null,
        (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
      )
      if (isDisturbed(startedAt)) return
      if (error !== null) return fail(`${what}: ${error.slice(0, 300)}`)
      if (kind === null) return
      const list = taken.get(kind) ?? []
      taken.set(kind, list)
      list.push(performance.now() - startedAt)
    },
    take: () => {
      const enough = [...taken].filter(([, list]) => list.length >= FEWEST)
      const quantiles = Object.fromEntries(enough.map(([kind, list]) => [kind, quantileOf(list, 0.99)]))
      for (const [kind] of enough) taken.delete(kind)
      return quantiles
    },
    get sent() {
      return sent
    },
    failures,
  }
}
