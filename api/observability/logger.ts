import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { escapeHidden } from '../text/escape-hidden.ts'
import { createRedact } from '../text/redact.ts'
import { createRepeatCount, kindOfLine } from './count-repeats.ts'
import { secretsOf } from './secrets-of.ts'
import { serializeError } from './serialize-error.ts'

export interface LoggerOptions {
  config: Pick<Config, 'LOG_LEVEL'> & Parameters<typeof secretsOf>[0]
  /** Where the lines go; standard output unless given. */
  destination?: DestinationStream
}

/** pino's number of the level. */
const WARN = 40

/**
 * The service's log: one JSON object a line. Errors are described by an allow-list, and every line is redacted as it
 * leaves, from any source (docs/operations.md, "Secrets"); texts of strangers in it are escaped. Equal warnings are written
 * once a minute, with how many were left out.
 */
export function createLogger({ config, destination }: LoggerOptions): Logger {
  const redact = createRedact(secretsOf(config))
  const repeats = createRepeatCount()
  return pino(
    {
      level: config.LOG_LEVEL,
      redact: [
        'req',
        'headers',
        '*.headers',
        '*.privateKey',
        '*.signature',
        '*.password',
        '*.apiToken',
        '*.deviceEncryptionKey',
        '*.grant',
        '*.receipt',
      ],
      serializers: { err: (error: unknown) => serializeError(error, redact) },
      hooks: {
        logMethod(parts, write, level) {
          const [facts, message] = parts as unknown as [unknown, unknown]
          if (level !== WARN || typeof message !== 'string') return write.apply(this, parts)
          const due = repeats(kindOfLine(facts, message))
          if (due === null) return
          if (due.leftOut > 0) Object.assign(parts, [{ ...(facts as object), leftOut: due.leftOut }])
          write.apply(this, parts)
        },
        streamWrite: (line) => escapeHidden(redact(line)),
      },
    },
    destination ?? pino.destination({ sync: true }),
  )
}
