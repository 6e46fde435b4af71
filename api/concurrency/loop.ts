import type { Logger } from 'pino'
import { createNotifier } from './notifier.ts'

/** Something that runs again and again until it is stopped. */
export interface Loop {
  /** Runs it now instead of after its pause. */
  wake(): void
  /** Lets the run in progress finish. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** For the log. */
  name: string
  log: Logger
  /** Counts the runs. */
  metrics: { loopRan(loop: string, outcome: 'ok' | 'failed'): void }
  /** One run; returns how long to pause after it, milliseconds. A long one checks `stopping` between its steps. */
  run: (stopping: AbortSignal) => Promise<number>
}

/** Backoff after a run that failed, milliseconds. */
const DELAY_AFTER_ERROR_MS = 500

/** Starts it at once. A run that throws is logged and tried again: a loop ends only when it is stopped. */
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
        log.warn({ err: error, loop: name }, 'a loop could not finish its run')
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
