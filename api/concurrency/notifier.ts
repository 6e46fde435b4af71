/** A means to wait for a notification or a timeout. A notification while nobody waits is kept for the next wait. */
export interface Notifier {
  notify(): void
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/**
 * Creates a notifier. `wait` sleeps until `notify` is called, the time is over or the signal aborts. Only one caller
 * may wait at a time.
 */
export function createNotifier(): Notifier {
  let rung = false
  let wake: (() => void) | null = null
  const sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        wake = null
        resolve()
      }
      const timer = setTimeout(finish, milliseconds)
      signal.addEventListener('abort', finish)
      wake = finish
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
