import type { Logger } from 'pino'
import { createNotifier } from './notifier.ts'

/** A job that repeats until it is stopped. */
export interface Loop {
  /** Starts the next run at once instead of after the pause. */
  wake(): void
  /** Stops the loop. Resolves when the run in progress has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** The name of the loop in logs and metrics. */
  name: string
  log: Logger
  /** The metrics. `loopRan` counts the runs of the loop by outcome. */
  metrics: { loopRan(loop: string, outcome: 'ok' | 'failed'): void }
  /**
   * Runs the job once. Returns the pause before the next run, in milliseconds. A long run must check `stopping` between
   * its steps.
   */
  run: (stopping: AbortSignal) => Promise<number>
  /** The pause before the first run, in milliseconds. Default 0. */
  firstPauseMs?: number
}

/** The pause of the loop after a failed run, in milliseconds. */
const DELAY_AFTER_ERROR_MS = 500

/**
 * Starts a loop. The first run begins after `firstPauseMs`. After a failed run, the error is logged and the loop
 * continues until `stop`.
 */
export function startLoop({ name, log, metrics, run, firstPauseMs = 0 }: LoopOptions): Loop {
  const notifier = createNotifier()
  const stopping = new AbortController()
  const end = repeat()

  async function repeat(): Promise<void> {
    if (firstPauseMs > 0) await notifier.wait(firstPauseMs, stopping.signal)
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
      await end
    },
  }
}
