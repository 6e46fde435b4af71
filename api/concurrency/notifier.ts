/** Lets one waiter sleep until something happens or time is up. A ring while nobody waits is kept for the next wait. */
export interface Bell {
  ring(): void
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** A bell for one waiter at a time. */
export function createBell(): Bell {
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
    ring: () => {
      rung = true
      wake?.()
    },
    wait: async (milliseconds, signal) => {
      if (!rung && !signal.aborted) await sleep(milliseconds, signal)
      rung = false
    },
  }
}
