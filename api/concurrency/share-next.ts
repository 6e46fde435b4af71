import { withTimeout } from './with-timeout.ts'

/**
 * The longest time in milliseconds that waiting calls wait for the current run to end. After this time, the next run
 * begins, even if the current run has not ended.
 */
const MAX_WAIT_MS = 50
/**
 * The longest time in milliseconds that a waiting call waits for the result of the next run. After this time, the call
 * starts a separate run.
 */
const MAX_SHARED_MS = 250

/**
 * Returns a function whose concurrent calls share runs of `run`. A call that arrives during a run waits for the next
 * run, so each result is newer than the call. If a shared run fails or takes too long, each waiting call starts a
 * separate run.
 */
export function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let currentRun: Promise<T> | null = null
  let next: Promise<T> | null = null
  const begin = (): Promise<T> => {
    const newRun = run()
    currentRun = newRun
    const end = () => {
      if (currentRun === newRun) currentRun = null
    }
    newRun.then(end, end)
    return newRun
  }
  const beginAfter = async (before: Promise<T>): Promise<T> => {
    await withTimeout(before, MAX_WAIT_MS).catch(() => {})
    next = null
    return await begin()
  }
  const share = async (sharedRun: Promise<T>): Promise<T> => {
    const sharedResult = sharedRun.then((value) => ({ value }))
    return ((await withTimeout(sharedResult, MAX_SHARED_MS).catch(() => null)) ?? { value: await run() }).value
  }
  return () => {
    if (currentRun === null) return begin()
    next ??= beginAfter(currentRun)
    return share(next)
  }
}
