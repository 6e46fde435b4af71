import type { Redact } from '../text/redact.ts'

/** An error, as a log line shows it. */
export interface ErrorDescription {
  type: string
  message?: string
  /**
   * The SQLSTATE of a Postgres error, an error code of the operating system (such as `ENOENT`), or a library's error
   * code.
   */
  code?: string
  /** The table, column, constraint and routine names of a Postgres error. Values are never included. */
  place?: string
  stack?: string[]
  cause?: ErrorDescription
}

const MOST_CAUSES = 4
const MOST_FRAMES = 8
/**
 * The longest error message that is logged, in characters. The limit suffices for the messages of errors that prevent
 * the start of the service.
 */
const LONGEST_MESSAGE = 3_000
const LONGEST_FRAME = 300
/**
 * The SQLSTATE classes whose messages quote values: data exceptions and violated constraints. Messages of these classes
 * are not logged.
 */
const SQLSTATE_WITH_VALUES = /^2[23]/

/**
 * Returns those fields of an error that are safe to log. Only listed fields are returned, because libraries attach
 * requests, rows and URLs to errors. A message that quotes a request is omitted or shortened.
 */
export function serializeError(error: unknown, redact: Redact, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, stack, cause } = error
  const message = messageOf(error)
  const inner = cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  return {
    type: name,
    ...(message !== null && { message: redact(message).slice(0, LONGEST_MESSAGE) }),
    ...optional('code', textOf(error, 'code')),
    ...optional('place', placeOf(error)),
    ...(depth === 0 && stack !== undefined && { stack: framesOf(stack) }),
    ...(inner !== undefined && depth < MOST_CAUSES && { cause: serializeError(inner, redact, depth + 1) }),
  }
}

function messageOf(error: Error): string | null {
  if (error instanceof SyntaxError) return null
  if (error.name === 'PostgresError') {
    return SQLSTATE_WITH_VALUES.test(textOf(error, 'code') ?? '') ? null : error.message
  }
  // viem's full message repeats the request; its short one and the node's own words do not.
  const shortMessage = textOf(error, 'shortMessage')
  if (shortMessage !== null) return [shortMessage, textOf(error, 'details')].filter((part) => part !== null).join(' ')
  // Node quotes the received value after this word.
  return error.message.split(/\bReceived\b/, 1)[0] ?? null
}

function placeOf(error: Error): string | null {
  if (error.name !== 'PostgresError') return null
  const place = ['table_name', 'column_name', 'constraint_name', 'routine'].map((field) => textOf(error, field))
  return place.filter((part) => part !== null).join(' ')
}

/** Returns the stack frames. The first lines of the stack, which repeat the message, are removed. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.trim().slice(0, LONGEST_FRAME))
}

function textOf(error: Error, field: string): string | null {
  const value: unknown = Reflect.get(error, field)
  return typeof value === 'string' && value !== '' ? value : null
}

function optional(name: 'code' | 'place', value: string | null): Partial<ErrorDescription> {
  return value === null ? {} : { [name]: value }
}
