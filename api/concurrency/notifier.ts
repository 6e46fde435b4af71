/**
 * Lets one waiter sleep until it is notified or time is up. A notification without a waiter is kept for the next wait.
 */
export interface Notifier {
  notify(): void
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** A notifier for one waiter at a time. */
export function createNotifier(): Notifier {
  let rung = false
  let wake: (() => void) | null = null
  const sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        wake = null
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      signal.addEventListener('abort', done)
      wake = done
    })
  return {
    notify: () => {
      rung = true
      wake?.()
    },
    wait: async (milliseconds, signal) => {
      if (!rung && !signal.aborted) await sleep(milliseconds, signal)
      rung = false
    },
  }
}
