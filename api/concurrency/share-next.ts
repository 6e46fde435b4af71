import { withTimeout } from './with-timeout.ts'

/** How long a call waits for the run before its own, milliseconds: one that hangs holds no other up. */
const MAX_WAIT_MS = 50

/**
 * Calls of `run` that share runs: a call that finds one under way waits for the next, with all others that come until it
 * begins. So each call gets what a run found that began after it, and any number of calls at a time makes two runs.
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
    await withTimeout(
      before.then(
        () => true,
        () => true,
      ),
      MAX_WAIT_MS,
    )
    next = null
    return await begin()
  }
  return () => {
    if (running === null) return begin()
    next ??= beginAfter(running)
    return next
  }
}
