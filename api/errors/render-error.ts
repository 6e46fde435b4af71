import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import type { Detail } from '../../protocol/details.ts'
import { type ErrorStatus, errorCodes, type Reason } from '../../protocol/reasons.ts'
import { ByteQuotaError } from '../artifacts/byte-accounts.ts'
import { HashingFailed } from '../artifacts/hashing/file-hashes.ts'
import { StorageFullError, StorageUnavailableError } from '../artifacts/storage/object-store.ts'
import { ChainUnavailable } from '../chain/chain.ts'
import { Overloaded } from '../concurrency/semaphore.ts'
import { isDatabaseUnavailable } from '../db/client.ts'
import { recordRequest } from '../observability/request-facts.ts'
import { toJsonText } from '../text/json-text.ts'
import { type CallFacts, type FieldIssue, type IntentFacts, ServiceError } from './service-error.ts'

/** The body of every error answer (interface specification, "Errors"). */
export interface ErrorBody {
  error: string
  code: string
  service: { reason: Reason; detail: Detail; docs?: string } & IntentFacts & Partial<CallFacts>
  issues?: FieldIssue[]
}

/**
 * Returns the answer for any thrown value: `{error, code, service, issues?}`. An unexpected error becomes status 500
 * `unclassified`. Its cause is logged and never sent to the client.
 */
export function renderError(
  c: Context,
  error: unknown,
  { log, publicBaseUrl }: { log: Logger; publicBaseUrl: string | null },
): Response {
  const failure = recordFailure(c, error, log)
  return c.body(toJsonText(errorBody(failure, publicBaseUrl)), failure.status, { 'Content-Type': 'application/json' })
}

/**
 * Converts a thrown value to a `ServiceError` and sets the answer's headers. Faults of the service are logged. REST and
 * RPC use the function.
 */
export function recordFailure(c: Context, error: unknown, log: Logger): ServiceError {
  const failure = toServiceError(error)
  const { intentId, operation } = failure.options.intent ?? {}
  recordRequest(c, {
    reason: failure.reason,
    ...(intentId !== undefined && { intentId }),
    ...(operation !== undefined && { operation }),
  })
  if (failure.status >= 500 && failure.options.isRefusal !== true)
    log.error({ err: failure.cause ?? failure, requestId: c.get('requestId') }, 'request failed')
  for (const [name, value] of Object.entries(failure.options.headers ?? {})) c.header(name, value)
  c.header('Cache-Control', 'no-store')
  return failure
}

/**
 * Returns the body of an error answer.
 * @param publicBaseUrl the origin of the link `service.docs`; null for no link
 */
export function errorBody(failure: ServiceError, publicBaseUrl: string | null): ErrorBody {
  const { intent, issues, code, detail, callFacts } = failure.options
  return {
    error: failure.message,
    code: code ?? errorCodes[failure.status],
    service: {
      reason: failure.reason,
      detail,
      ...(publicBaseUrl !== null && { docs: `${publicBaseUrl}/docs/errors/${detail}` }),
      ...intent,
      ...callFacts,
    },
    ...(issues && issues.length > 0 && { issues }),
  }
}

/** Converts a thrown value to the error that a client receives. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof ByteQuotaError) {
    const { message, retryAfterSeconds } = error
    return new ServiceError(429, 'unclassified', message, {
      detail: 'byte_quota',
      ...(retryAfterSeconds !== null && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
    })
  }
  if (error instanceof StorageFullError) {
    return new ServiceError(507, 'unclassified', 'The service has no room to store files now; try again later.', {
      detail: 'storage_full',
      cause: error,
    })
  }
  if (error instanceof Overloaded) return unavailable(error.fact, error, 'overloaded')
  if (error instanceof HashingFailed) return unavailable('The service cannot hash files now', error, 'overloaded')
  if (isDatabaseUnavailable(error))
    return unavailable('The service cannot reach its data now', error, 'database_unavailable')
  if (error instanceof StorageUnavailableError)
    return unavailable('The service cannot reach its files now', error, 'storage_unavailable')
  if (error instanceof ChainUnavailable)
    return unavailable('The service cannot reach the chain now', error, 'node_unavailable')
  if (error instanceof HTTPException && isErrorStatus(error.status)) {
    return new ServiceError(error.status, 'unclassified', 'The request could not be read.', {
      detail: 'malformed_request',
      cause: error,
    })
  }
  return new ServiceError(500, 'unclassified', 'The service failed to handle the request.', {
    detail: 'internal_error',
    cause: error,
  })
}

function unavailable(fact: string, cause: unknown, detail: Detail): ServiceError {
  const headers = { 'Retry-After': '2' }
  return new ServiceError(503, 'unclassified', `${fact}; try again shortly.`, { detail, headers, cause })
}

function isErrorStatus(status: number): status is ErrorStatus {
  return status in errorCodes
}
