import pg from 'pg'
import { RequestError } from './request-error.ts'

/** SQLSTATEs: statement or lock timeout; no connection, login, database or resources, shutdown, conflict of a standby; wrong values. */
const TIMEOUT_STATES = /^(57014|55P03)$/
const UNAVAILABLE_STATES = /^(08|28|3D|53|57P|40001)/
const VALUE_STATES = /^22/
/** Messages of pg and error codes of the system that have no SQLSTATE. */
const TIMEOUT_MESSAGE = 'Query read timeout'
const UNAVAILABLE_MESSAGES = /timeout exceeded when trying to connect|connection timeout|terminated|not queryable/i
const SYSTEM_CODES = /^E[A-Z_]+$/

/** Message of each code, without names, texts or values of the database. */
const messages = {
  TIMEOUT: 'The database did not answer in time: ask for fewer rows, or filter and sort by an indexed column.',
  DATABASE_UNAVAILABLE: 'The database cannot be reached now; try again shortly.',
  BAD_USER_INPUT: 'A value in the arguments does not fit its column.',
  INTERNAL_SERVER_ERROR: 'Internal error: the query could not be answered.',
}

/**
 * Replaces a failure by a code and a fixed message: messages of the database contain statements and names of tables.
 * Example: SQLSTATE 57014 becomes `TIMEOUT`.
 */
export function toRequestError(
  error: unknown,
  place: Pick<RequestError['errors'][number], 'locations' | 'path'> = {},
): RequestError {
  if (error instanceof RequestError) {
    return new RequestError(
      error.code,
      error.errors.map((entry) => ({ ...place, ...entry })),
      error.headers,
    )
  }
  const code = codeOf(error)
  return new RequestError(
    code,
    [{ message: messages[code], ...place }],
    code === 'DATABASE_UNAVAILABLE' ? { 'Retry-After': '2' } : {},
  )
}

function codeOf(error: unknown): keyof typeof messages {
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? ''
    if (TIMEOUT_STATES.test(state)) return 'TIMEOUT'
    if (UNAVAILABLE_STATES.test(state)) return 'DATABASE_UNAVAILABLE'
    return VALUE_STATES.test(state) ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'
  }
  if (!(error instanceof Error)) return 'INTERNAL_SERVER_ERROR'
  if (error.message === TIMEOUT_MESSAGE) return 'TIMEOUT'
  const isSystem = 'code' in error && typeof error.code === 'string' && SYSTEM_CODES.test(error.code)
  return isSystem || UNAVAILABLE_MESSAGES.test(error.message) ? 'DATABASE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR'
}

const MOST_FRAMES = 8

/**
 * Describes an error for the log without its message: messages of Postgres and of graphql-js quote statements and values
 * of clients. `code` is the SQLSTATE or the system's error code.
 */
export function describeFailure(error: unknown): { type: string; code?: string; stack?: string[] } {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.constructor.name,
    ...(code !== undefined && { code }),
    stack: frames.slice(0, MOST_FRAMES).map((line) => line.trim()),
  }
}
