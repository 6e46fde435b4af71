import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { escapeHidden } from '../text/escape-hidden.ts'
import { createRedact, secretsOf } from './redact.ts'
import { serializeError } from './serialize-error.ts'

export interface LoggerOptions {
  config: Pick<Config, 'LOG_LEVEL'> & Parameters<typeof secretsOf>[0]
  /** Where the lines go; standard output unless given. */
  destination?: DestinationStream
}

/**
 * The service's log: one JSON object a line. Errors are described by an allow-list, and every line is redacted as it
 * leaves, from any source (docs/operations.md, "Secrets"); texts of strangers in it are escaped.
 */
export function createLogger({ config, destination }: LoggerOptions): Logger {
  const redact = createRedact(secretsOf(config))
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
      hooks: { streamWrite: (line) => escapeHidden(redact(line)) },
    },
    destination ?? pino.destination({ sync: true }),
  )
}
