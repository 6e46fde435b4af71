import { withTimeout } from './with-timeout.ts'

/** The longest wait of a call for the run before its own, milliseconds. */
const MAX_WAIT_MS = 50
/** The longest wait of a call for a shared run, including the wait before it, milliseconds. */
const MAX_SHARED_MS = 250

/**
 * Returns a function whose concurrent calls share runs of `run`: a call during a run waits for the next one, together
 * with all others until it begins. So every call gets a result that began after it, and many calls cause few runs. When
 * a shared run fails or hangs, each of its calls runs alone.
 */
export function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let next: Promise<T> | null = null
  const begin = (): Promise<T> => {
    const newRun = run()
    running = newRun
    const end = () => {
      if (running === newRun) running = null
    }
    newRun.then(end, end)
    return newRun
  }
  const beginAfter = async (before: Promise<T>): Promise<T> => {
    await withTimeout(before, MAX_WAIT_MS).catch(() => {})
    next = null
    return await begin()
  }
  const share = async (shared: Promise<T>): Promise<T> => {
    const sharedResult = shared.then((value) => ({ value }))
    return ((await withTimeout(sharedResult, MAX_SHARED_MS).catch(() => null)) ?? { value: await run() }).value
  }
  return () => {
    if (running === null) return begin()
    next ??= beginAfter(running)
    return share(next)
  }
}
