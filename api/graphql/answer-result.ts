import type { ExecutionResult, GraphQLError } from 'graphql/index.js'
import type { Logger } from 'pino'
import { escapeHidden } from '../text/escape-hidden.ts'
import { describeFailure, type PublicFailure, toPublicFailure } from './failure.ts'
import { limits } from './limits.ts'
import { RequestError, toFormattedError } from './request-error.ts'

const RETRY_AFTER_SECONDS = 2

/**
 * Renders the result of an operation. The messages of resolvers' errors contain statements and names of tables, so each
 * is replaced by a fixed one.
 * @throws RequestError when there is no database, a value fits no column and nothing was read, or the answer is too
 * large
 */
export function answerResult({ data, errors = [] }: ExecutionResult, log: Logger): Response {
  const failures = errors.map((error) => ({ error, failure: toFailure(error, log) }))
  if (Object.values(data ?? {}).every((value) => value === null)) refuse(failures)
  const json = JSON.stringify({
    ...(failures.length > 0 && {
      errors: failures.map(({ error: { locations, path }, failure: { code, message } }) =>
        toFormattedError({ message, locations, path }, code),
      ),
    }),
    data,
  })
  const body = escapeHidden(json)
  if (Buffer.byteLength(body) > limits.responseBytes) {
    const message = `The answer is larger than ${limits.responseBytes} bytes: ask for fewer rows or fields.`
    throw new RequestError('RESPONSE_TOO_LARGE', message)
  }
  return new Response(body, { headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } })
}

/** Answers with a status of its own, where nothing was read and the client can do something about it. */
function refuse(failures: readonly { error: GraphQLError; failure: PublicFailure }[]): void {
  const unavailable = failures.find(({ failure }) => failure.code === 'DATABASE_UNAVAILABLE')
  if (unavailable !== undefined) {
    const { code, message } = unavailable.failure
    throw new RequestError(code, message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  const wrong = failures.find(({ failure }) => failure.code === 'BAD_USER_INPUT')
  if (wrong !== undefined) {
    const { error, failure } = wrong
    throw new RequestError(failure.code, [{ message: failure.message, locations: error.locations, path: error.path }])
  }
}

function toFailure({ originalError }: GraphQLError, log: Logger): PublicFailure {
  const failure = toPublicFailure(originalError)
  const level = failure.code === 'INTERNAL_SERVER_ERROR' ? 'error' : 'warn'
  if (failure.code !== 'BAD_USER_INPUT')
    log[level]({ code: failure.code, failure: describeFailure(originalError) }, 'query failed')
  return failure
}
