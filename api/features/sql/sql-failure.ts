import type { Context } from 'hono'
import { type FailureKind, QueryFailed } from '../../analytics/query-failure.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { invalidRequest } from '../../http/parse.ts'

const details = { syntax: 'sql_syntax', refused: 'sql_refused', limit: 'sql_limit' } as const

/**
 * Converts the failure of a query to an HTTP error. A wrong query gets the status 400 and, if known, the position of
 * the mistake. The statuses 429 and 503 mean that the client may try again.
 */
export function toSqlError(error: unknown, { log }: Pick<Deps, 'log'>, context: Context): unknown {
  if (!(error instanceof QueryFailed)) return isOfClient(error, context) ? clientGone(error) : error
  const { kind, message, position, cause } = error
  if (kind === 'parameters') return invalidRequest([{ path: 'params', message }])
  if (isAboutText(kind)) {
    const place = position === null ? '' : ` (character ${position})`
    return new ServiceError(400, 'unclassified', `query: ${message}${place}`, {
      detail: details[kind],
      issues: [{ path: 'query', message, ...(position !== null && { position }) }],
    })
  }
  if (kind === 'busy')
    return new ServiceError(429, 'unclassified', message, { detail: 'sql_busy', headers: { 'Retry-After': '1' } })
  // Without a stack, because the query is refused and the service works.
  log.warn({ refusal: message, ...(cause != null && { cause }) }, 'query refused')
  return new ServiceError(503, 'unclassified', message, {
    detail: 'sql_unavailable',
    headers: { 'Retry-After': '2' },
    isRefusal: true,
    cause,
  })
}

function isAboutText(kind: FailureKind): kind is keyof typeof details {
  return kind in details
}

/** Returns the error of a request whose client has disconnected. The status 400 shows that the service did not fail. */
function clientGone(cause: unknown): ServiceError {
  return new ServiceError(400, 'unclassified', 'The client closed the connection before its answer.', {
    detail: 'connection_closed',
    cause,
  })
}

function isOfClient(error: unknown, context: Context): boolean {
  const { signal } = context.req.raw
  return signal.aborted && signal.reason === error
}
