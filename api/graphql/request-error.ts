import type { GraphQLFormattedError } from 'graphql/index.js'
import { limits } from './limits.ts'

/** HTTP status of an answer that has an error of the code and no data. */
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

/** The parts of one error that the client receives. */
export type PublicError = Pick<GraphQLFormattedError, 'message' | 'locations' | 'path'>

export interface RequestErrorOptions {
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number
  /** Sent as `Allow`. */
  allow?: string
  cause?: unknown
}

/** A request that gets no data: its errors are the whole answer. */
export class RequestError extends Error {
  readonly code: ErrorCode
  readonly errors: readonly PublicError[]
  readonly options: RequestErrorOptions

  constructor(code: ErrorCode, problem: string | readonly PublicError[], options: RequestErrorOptions = {}) {
    const errors = typeof problem === 'string' ? [{ message: problem }] : problem
    super(errors[0]?.message ?? code, { cause: options.cause })
    this.name = 'RequestError'
    this.code = code
    this.errors = errors
    this.options = options
  }
}

/** Renders the error: `{errors: [{message, locations?, path?, extensions: {code}}]}`. */
export function toErrorResponse({ code, errors, options }: RequestError): Response {
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
  if (options.retryAfterSeconds !== undefined) headers['Retry-After'] = String(options.retryAfterSeconds)
  if (options.allow !== undefined) headers.Allow = options.allow
  return Response.json(
    { errors: errors.map((error) => toFormattedError(error, code)) },
    { status: statuses[code], headers },
  )
}

/** The error as an entry of `errors`. */
export function toFormattedError({ message, locations, path }: PublicError, code: ErrorCode): GraphQLFormattedError {
  return {
    message: message.slice(0, limits.messageCharacters),
    ...(locations !== undefined && { locations }),
    ...(path !== undefined && { path }),
    extensions: { code },
  }
}
