import { withTimeout } from '../concurrency/with-timeout.ts'

/** The result of a measurement. `at`: the time in Unix milliseconds. `milliseconds`: the duration. */
export type Probed<Value> =
  | { ok: true; value: Value; at: number; milliseconds: number }
  | { ok: false; problem: 'timeout' | 'failed'; at: number }

export type Probe<Value> = () => Promise<Probed<Value>>

export interface ProbeLimits {
  /** The longest time in milliseconds that a caller waits for the measurement. */
  timeoutMs: number
  /** The milliseconds for which a result is returned again without a new measurement. A failure is also a result. */
  freshMs: number
}

/** The age in milliseconds at which an unfinished measurement is abandoned. A new measurement may then start. */
const ABANDON_AFTER_MS = 10_000

/**
 * Creates a measurement with limits. No caller waits longer than `timeoutMs`. A result (a failure too) is returned
 * again for `freshMs`. A new measurement starts only after the previous one has ended or was abandoned (after ten
 * seconds).
 */
export function createProbe<Value>(measure: () => Promise<Value>, limits: ProbeLimits): Probe<Value> {
  const { timeoutMs, freshMs } = limits
  let last: { result: Probed<Value>; since: number } | null = null
  let currentRun: { result: Promise<Probed<Value>>; since: number } | null = null
  let nextRun: Promise<Probed<Value>> | null = null

  const keep = (result: Probed<Value>): Probed<Value> => {
    last = { result, since: performance.now() }
    return result
  }
  const run = (): NonNullable<typeof currentRun> => {
    const since = performance.now()
    const end = () => {
      if (currentRun === ownRun) currentRun = null
      return { at: Date.now(), milliseconds: Math.round(performance.now() - since) }
    }
    const result = attempt(measure).then(
      (value) => keep({ ok: true, value, ...end() }),
      () => keep({ ok: false, problem: 'failed', at: end().at }),
    )
    const ownRun = { result, since }
    currentRun = ownRun
    return ownRun
  }
  const ask = async (): Promise<Probed<Value>> => {
    const hangs = currentRun !== null && performance.now() - currentRun.since > ABANDON_AFTER_MS
    const current = currentRun === null || hangs ? run() : currentRun
    const millisecondsLeft = Math.max(0, current.since + timeoutMs - performance.now())
    const lateResult = await withTimeout(current.result, millisecondsLeft)
    return lateResult ?? keep({ ok: false, problem: 'timeout', at: Date.now() })
  }
  return () => {
    if (last !== null && performance.now() - last.since < freshMs) return Promise.resolve(last.result)
    nextRun ??= ask().finally(() => {
      nextRun = null
    })
    return nextRun
  }
}

/** Runs the measurement in an async function. An error that the measurement throws at once becomes a rejection. */
async function attempt<Value>(measure: () => Promise<Value>): Promise<Value> {
  return await measure()
}
