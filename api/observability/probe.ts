import { withTimeout } from '../concurrency/with-timeout.ts'

/** What a measurement said; `at` is when, Unix milliseconds. */
export type Probed<Value> =
  | { ok: true; value: Value; at: number; milliseconds: number }
  | { ok: false; problem: 'timeout' | 'failed'; at: number }

export type Probe<Value> = () => Promise<Probed<Value>>

export interface ProbeLimits {
  /** How long a caller waits for an answer, milliseconds. */
  timeoutMs: number
  /** How long an answer holds, also the answer that there is none; milliseconds. */
  freshMs: number
}

/** One that has not come back after this long is given up, and another may be sent; milliseconds. */
const ABANDON_AFTER_MS = 10_000

/**
 * Bounds a measurement: never waited for longer than `timeoutMs`, made at most once in `freshMs`, and never twice at
 * the same time, however many ask. One that hangs costs its first callers the timeout, and later callers nothing.
 */
export function createProbe<Value>(measure: () => Promise<Value>, limits: ProbeLimits): Probe<Value> {
  const { timeoutMs, freshMs } = limits
  let last: { result: Probed<Value>; since: number } | null = null
  let running: { result: Promise<Probed<Value>>; since: number } | null = null
  let waiting: Promise<Probed<Value>> | null = null

  const keep = (result: Probed<Value>): Probed<Value> => {
    last = { result, since: performance.now() }
    return result
  }
  const run = (): NonNullable<typeof running> => {
    const since = performance.now()
    const end = () => {
      if (running === own) running = null
      return { at: Date.now(), milliseconds: Math.round(performance.now() - since) }
    }
    const result = attempt(measure).then(
      (value) => keep({ ok: true, value, ...end() }),
      () => keep({ ok: false, problem: 'failed', at: end().at }),
    )
    const own = { result, since }
    running = own
    return own
  }
  const ask = async (): Promise<Probed<Value>> => {
    const hangs = running !== null && performance.now() - running.since > ABANDON_AFTER_MS
    const current = running === null || hangs ? run() : running
    const left = Math.max(0, current.since + timeoutMs - performance.now())
    const late = await withTimeout(current.result, left)
    return late ?? keep({ ok: false, problem: 'timeout', at: Date.now() })
  }
  return () => {
    if (last !== null && performance.now() - last.since < freshMs) return Promise.resolve(last.result)
    waiting ??= ask().finally(() => {
      waiting = null
    })
    return waiting
  }
}

/** A measurement that throws instead of rejecting has failed too. */
async function attempt<Value>(measure: () => Promise<Value>): Promise<Value> {
  return await measure()
}
