import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { escapeHidden } from '../text/escape-hidden.ts'
import { createRedact } from '../text/redact.ts'
import { createRepeatCount, kindOfLine } from './count-repeats.ts'
import { secretsOf } from './secrets-of.ts'
import { serializeError } from './serialize-error.ts'

export interface LoggerOptions {
  config: Pick<Config, 'LOG_LEVEL'> & Parameters<typeof secretsOf>[0]
  /** The destination of the log lines. Default: standard output. */
  destination?: DestinationStream
}

/** The number of the level `warn` in pino. */
const WARN = 40

/**
 * Creates the service's logger. It writes one JSON object per line, redacts secrets (docs/operate/operations.md,
 * "Secrets") and escapes untrusted text. It logs only the allowed fields of an error. If equal warnings occur within a
 * minute, it writes only the first one.
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
          const dueLine = repeats(kindOfLine(facts, message))
          if (dueLine === null) return
          if (dueLine.leftOut > 0) Object.assign(parts, [{ ...(facts as object), leftOut: dueLine.leftOut }])
          write.apply(this, parts)
        },
        streamWrite: (line) => escapeHidden(redact(line)),
      },
    },
    destination ?? pino.destination({ sync: true }),
  )
}
