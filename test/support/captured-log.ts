import type { DestinationStream } from 'pino'

/** A log in memory. */
export interface CapturedLog extends DestinationStream {
  text(): string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape.
  lines(message?: string): any[]
  clear(): void
}

export function captureLog(): CapturedLog {
  let text = ''
  return {
    write: (line) => {
      text += line
    },
    text: () => text,
    lines: (message) => {
      const lines = text.split('\n').filter((line) => line !== '')
      const parsed = lines.map((line) => JSON.parse(line))
      return message === undefined ? parsed : parsed.filter(({ msg }) => msg === message)
    },
    clear: () => {
      text = ''
    },
  }
}
