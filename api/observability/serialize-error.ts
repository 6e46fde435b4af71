import type { Redact } from '../text/redact.ts'

/** An error in a log line. */
export interface ErrorDescription {
  type: string
  message?: string
  /** The SQLSTATE, or the system's or library's code. */
  code?: string
  /** The tables and constraints in a Postgres error, never values. */
  place?: string
  stack?: string[]
  cause?: ErrorDescription
}

const MOST_CAUSES = 4
const MOST_FRAMES = 8
/** The longest message: reasons that prevent a start are logged whole. */
const LONGEST_MESSAGE = 3_000
const LONGEST_FRAME = 300
/**
 * The SQLSTATE classes whose messages quote values: data exceptions and violated constraints. Their code and place
 * suffice.
 */
const SQLSTATE_WITH_VALUES = /^2[23]/

/**
 * Returns the loggable facts of an error by an allow-list: libraries attach requests, parameters, rows and URLs to
 * theirs. Messages that quote a request (JSON that does not parse) are omitted.
 */
export function serializeError(thrown: unknown, redact: Redact, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { name, stack, cause } = thrown
  const message = messageOf(thrown)
  const inner = cause ?? (thrown instanceof AggregateError ? thrown.errors[0] : undefined)
  return {
    type: name,
    ...(message !== null && { message: redact(message).slice(0, LONGEST_MESSAGE) }),
    ...optional('code', textOf(thrown, 'code')),
    ...optional('place', placeOf(thrown)),
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
  const short = textOf(error, 'shortMessage')
  if (short !== null) return [short, textOf(error, 'details')].filter((part) => part !== null).join(' ')
  // Node quotes the received value after this word.
  return error.message.split(/\bReceived\b/, 1)[0] ?? null
}

function placeOf(error: Error): string | null {
  if (error.name !== 'PostgresError') return null
  const place = ['table_name', 'column_name', 'constraint_name', 'routine'].map((field) => textOf(error, field))
  return place.filter((part) => part !== null).join(' ')
}

/** Returns the frames; the lines before them repeat the message. */
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
