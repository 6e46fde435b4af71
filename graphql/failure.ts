import pg from 'pg'
import { RequestError } from './request-error.ts'

/** SQLSTATEs of a statement timeout and a lock timeout. */
const TIMEOUT_STATES = /^(57014|55P03)$/
/**
 * SQLSTATEs that mean that the database is unavailable: no connection, login, database or resources, a shutdown, or a
 * conflict on a standby server.
 */
const UNAVAILABLE_STATES = /^(08|28|3D|53|57P|40001)/
/** SQLSTATEs of values that do not fit their type. */
const VALUE_STATES = /^22/
/** Message of the pg client if the server does not answer in time. Such an error has no SQLSTATE. */
const TIMEOUT_MESSAGE = 'Query read timeout'
/** Messages of the pg client if a connection fails. Such an error has no SQLSTATE. */
const UNAVAILABLE_MESSAGES = /timeout exceeded when trying to connect|connection timeout|terminated|not queryable/i
/** Error codes of the operating system, such as ECONNREFUSED. */
const SYSTEM_CODES = /^E[A-Z_]+$/

/** Message for the client for each code. It contains no name, text or value from the database. */
const messages = {
  TIMEOUT: 'The database did not answer in time: ask for fewer rows, or filter and sort by an indexed column.',
  DATABASE_UNAVAILABLE: 'The database cannot be reached now; try again shortly.',
  BAD_USER_INPUT: 'A value in the arguments does not fit its column.',
  INTERNAL_SERVER_ERROR: 'Internal error: the query could not be answered.',
}

/**
 * Converts a failure to an error with a code and a fixed message. The original message is not sent to the client,
 * because it contains statements and table names.
 * Example: SQLSTATE 57014 becomes `TIMEOUT`.
 * @param place location and path of the failed field in the client's document
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
 * Describes an error for the log. The error's message is left out, because messages of PostgreSQL and graphql-js quote
 * clients' statements and values. `code` is the SQLSTATE or the operating system's error code.
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
