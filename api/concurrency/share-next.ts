import { withTimeout } from './with-timeout.ts'

/** How long a call waits for the run before its own, milliseconds. */
const MAX_WAIT_MS = 50
/** How long a call waits for a run that it shares, the wait before included, milliseconds. */
const MAX_SHARED_MS = 250

/**
 * Calls of `run` that share runs: a call that finds one under way waits for the next, with all others that come until it
 * begins. So each call gets what a run found that began after it, and many calls at a time make few runs. When a shared run
 * fails or hangs, each of its calls makes one of its own.
 */
export function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let next: Promise<T> | null = null
  const begin = (): Promise<T> => {
    const begun = run()
    running = begun
    const end = () => {
      if (running === begun) running = null
    }
    begun.then(end, end)
    return begun
  }
  const beginAfter = async (before: Promise<T>): Promise<T> => {
    await withTimeout(before, MAX_WAIT_MS).catch(() => {})
    next = null
    return await begin()
  }
  const share = async (shared: Promise<T>): Promise<T> => {
    const found = shared.then((value) => ({ value }))
    return ((await withTimeout(found, MAX_SHARED_MS).catch(() => null)) ?? { value: await run() }).value
  }
  return () => {
    if (running === null) return begin()
    next ??= beginAfter(running)
    return share(next)
  }
}
