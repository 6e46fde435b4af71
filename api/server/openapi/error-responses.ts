import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { type ErrorStatus, errorCodes, type Reason, reasons } from '../../../protocol/reasons.ts'

/** The default description of each error status. */
const MEANINGS: Record<ErrorStatus, string> = {
  400: 'The request is not valid; `issues` names the fields.',
  401: 'The caller is not known.',
  402: 'Payment required.',
  403: 'The caller may not do this.',
  404: 'There is no such thing, or none the caller may see.',
  406: '`Accept` names no type that there is.',
  408: 'The request took too long to arrive; nothing was done.',
  409: 'The state of the task or of the write does not allow this.',
  410: 'It is no longer kept.',
  413: 'The body is too large.',
  415: 'The body is encoded.',
  429: 'Too many requests.',
  500: 'The service failed.',
  503: 'The service cannot answer now.',
  507: 'The service has no room for files now.',
}

/**
 * Returns the error reasons that can occur with this status. `reachableReasons`: all error reasons of the operation.
 */
function reasonsAt(status: ErrorStatus, reachableReasons: readonly Reason[]): Reason[] {
  return reachableReasons.filter((reason) => (reasons[reason] as readonly number[]).includes(status))
}

/**
 * The prefix in the names of the OpenAPI components for errors that several operations share: `Error` for reads,
 * `WriteError` for relayed writes. Example: `WriteError429`.
 */
export type ErrorFamily = 'Error' | 'WriteError'

/**
 * Returns the error responses of an operation. Each status has a closed list of reasons. A response that equals a
 * shared component becomes a reference to the component.
 */
export function errorResponses(
  statuses: readonly ErrorStatus[],
  reachableReasons: readonly Reason[],
  { family, descriptions = {} }: { family: ErrorFamily; descriptions?: Partial<Record<ErrorStatus, string>> },
): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {}
  for (const status of statuses) {
    const possibleReasons = reasonsAt(status, reachableReasons)
    const isShared = descriptions[status] === undefined && (family === 'WriteError' || isUnclassified(possibleReasons))
    responses[`${status}`] = isShared
      ? { $ref: `#/components/responses/${family}${status}` }
      : errorResponse(status, possibleReasons, descriptions[status])
  }
  return responses
}

/** Returns the shared components that the results of `errorResponses` refer to. */
export function sharedErrorResponses(
  family: ErrorFamily,
  statuses: readonly ErrorStatus[],
  reachableReasons: readonly Reason[],
): Record<string, ZodOpenApiResponseObject> {
  const namedResponses = statuses.map((status) => [
    `${family}${status}`,
    errorResponse(status, reasonsAt(status, reachableReasons)),
  ])
  return Object.fromEntries(namedResponses)
}

function errorResponse(
  status: ErrorStatus,
  reasons: readonly Reason[],
  description?: string,
): ZodOpenApiResponseObject {
  return {
    description: `${errorCodes[status]}. ${description ?? MEANINGS[status]}`,
    content: { 'application/json': { schema: narrowedError(reasons) } },
    ...(status in retryHeaders && { headers: retryHeaders[status as keyof typeof retryHeaders] }),
  }
}

function isUnclassified(reasons: readonly Reason[]): boolean {
  return reasons.length === 1 && reasons[0] === 'unclassified'
}

/**
 * Returns the schema of an error whose `service.reason` is one of `reasons`. The schema is a reference to a shared
 * component if `unclassified` is the only reason.
 */
export function narrowedError(reasons: readonly Reason[]) {
  if (isUnclassified(reasons)) return { $ref: '#/components/schemas/UnclassifiedError' }
  return closedError(reasons)
}

/**
 * Returns the schema of an error whose `service.reason` is one of `reasons`. The schema always contains the list of
 * reasons. `narrowedError` can return a reference to a shared component instead.
 */
export function closedError(reasons: readonly Reason[]) {
  const reason = { type: 'string' as const, enum: [...reasons] }
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object' as const,
        properties: { service: { type: 'object' as const, properties: { reason }, required: ['reason'] } },
        required: ['service'],
      },
    ],
  }
}

const seconds = { type: 'integer' as const }
const text = { type: 'string' as const }
const retryHeaders = {
  429: {
    'Retry-After': { description: 'Seconds to wait; absent where waiting does not help.', schema: seconds },
    RateLimit: { description: 'Name of the rate limit, units left, seconds until the quota is whole.', schema: text },
    'RateLimit-Policy': { description: 'Name of the rate limit, its quota, its window in seconds.', schema: text },
  },
  503: { 'Retry-After': { description: 'Seconds to wait.', schema: seconds } },
}
