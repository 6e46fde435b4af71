import type { Logger } from 'pino'
import { createNotifier } from './notifier.ts'

/** A job that repeats until it is stopped. */
export interface Loop {
  /** Runs it now instead of after its pause. */
  wake(): void
  /** Waits for the present run and stops. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** The name in the log. */
  name: string
  log: Logger
  /** Counts the runs. */
  metrics: { loopRan(loop: string, outcome: 'ok' | 'failed'): void }
  /** Runs once and returns the pause after it, milliseconds. A long run checks `stopping` between its steps. */
  run: (stopping: AbortSignal) => Promise<number>
}

/** The backoff after a failed run, milliseconds. */
const DELAY_AFTER_ERROR_MS = 500

/** Starts a loop at once. A failed run is logged and repeated; only `stop` ends the loop. */
export function startLoop({ name, log, metrics, run }: LoopOptions): Loop {
  const notifier = createNotifier()
  const stopping = new AbortController()
  const ended = repeat()

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = DELAY_AFTER_ERROR_MS
      try {
        pauseMs = await run(stopping.signal)
        metrics.loopRan(name, 'ok')
      } catch (error) {
        metrics.loopRan(name, 'failed')
        log.warn({ err: error, loop: name }, 'loop run failed')
      }
      await notifier.wait(pauseMs, stopping.signal)
    }
  }
  return {
    wake: notifier.notify,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
