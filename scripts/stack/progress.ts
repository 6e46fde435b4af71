export interface Progress {
  /** Prints one line. The line begins with the number of seconds since the start. */
  say(message: string): void
  /** Runs a step. Prints the text of `describe` for its result, and the duration of the step. */
  step<T>(work: () => Promise<T>, describe: (result: T) => string): Promise<T>
  /** Seconds since the start. */
  elapsedSeconds(): number
}

/**
 * Creates the functions that print progress for a person who waits. Example of a line: `  3.2s  postgres ready on
 * 127.0.0.1:5432 (0.9 s)`.
 */
export function startProgress(write: (line: string) => void = console.log): Progress {
  const startedAt = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000
  const say = (message: string) => write(`${elapsedSeconds().toFixed(1).padStart(5)}s  ${message}`)
  return {
    say,
    elapsedSeconds,
    step: async (work, describe) => {
      const from = elapsedSeconds()
      const result = await work()
      say(`${describe(result)} (${(elapsedSeconds() - from).toFixed(1)} s)`)
      return result
    },
  }
}
