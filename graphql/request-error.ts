import type { GraphQLFormattedError } from 'graphql/index.js'
import { limits } from './limits.ts'

/** HTTP status of each error code. */
const statuses = {
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  LIMIT_EXCEEDED: 400,
  BAD_USER_INPUT: 400,
  RATE_LIMITED: 429,
  OVERLOADED: 503,
  DATABASE_UNAVAILABLE: 503,
  INDEX_RECOVERING: 503,
  // Clients read the body of a 200; browsers would send a 408 again.
  TIMEOUT: 200,
  RESPONSE_TOO_LARGE: 200,
  INTERNAL_SERVER_ERROR: 500,
} as const

export type ErrorCode = keyof typeof statuses

/** The fields of an error that are sent to the client, besides the code. */
type PublicError = Pick<GraphQLFormattedError, 'message' | 'locations' | 'path'>

/** An error that replaces the whole answer: the client gets errors and no data. */
export class RequestError extends Error {
  readonly code: ErrorCode
  readonly errors: readonly PublicError[]
  readonly headers: Record<string, string>

  /**
   * @param problem the message, or the errors with their messages
   * @param headers additional headers of the response
   */
  constructor(code: ErrorCode, problem: string | readonly PublicError[], headers: Record<string, string> = {}) {
    const errors = typeof problem === 'string' ? [{ message: problem }] : problem
    super(errors[0]?.message ?? code)
    this.name = 'RequestError'
    this.code = code
    this.errors = errors
    this.headers = headers
  }
}

/** Throws a `RequestError` with one message. */
export function refuse(code: ErrorCode, message: string, headers?: Record<string, string>): never {
  throw new RequestError(code, message, headers)
}

/** Converts the error to a response: `{errors: [{message, locations?, path?, extensions: {code}}]}`. */
export function toErrorResponse({ code, errors, headers }: RequestError): Response {
  const body = errors.map(({ message, locations, path }) => ({
    message: message.slice(0, limits.messageCharacters),
    ...(locations !== undefined && { locations }),
    ...(path !== undefined && { path }),
    extensions: { code },
  }))
  return Response.json(
    { errors: body },
    { status: statuses[code], headers: { 'Cache-Control': 'no-store', ...headers } },
  )
}
