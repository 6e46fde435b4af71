import type { Logger } from 'pino'
import { createBell } from './notifier.ts'

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
  /** One run; returns how long to pause after it, milliseconds. A long one looks at `stopping` between its steps. */
  run: (stopping: AbortSignal) => Promise<number>
}

/** How long a loop rests after a run that failed, milliseconds. */
const REST_AFTER_ERROR_MS = 500

/** Starts it at once. A run that throws is logged and tried again: a loop ends only when it is stopped. */
export function startLoop({ name, log, metrics, run }: LoopOptions): Loop {
  const bell = createBell()
  const stopping = new AbortController()
  const ended = repeat()

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = REST_AFTER_ERROR_MS
      try {
        pauseMs = await run(stopping.signal)
        metrics.loopRan(name, 'ok')
      } catch (error) {
        metrics.loopRan(name, 'failed')
        log.warn({ err: error, loop: name }, 'a loop could not finish its run')
      }
      await bell.wait(pauseMs, stopping.signal)
    }
  }
  return {
    wake: bell.ring,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
