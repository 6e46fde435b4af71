/**
 * Reasons of errors as short names, each with the HTTP statuses of its errors (specification, "Errors"). Clients should
 * read the reason, never the message.
 */
export const reasons = {
  intent_in_flight: [409],
  idempotency_key_reused: [409],
  idempotency_key_required: [400],
  idempotency_key_conflict: [409],
  idempotency_key_payload_mismatch: [409],
  payment_already_spent: [409],
  intent_not_found: [404],
  intent_completion_deferred: [500],
  payment_rejected: [402, 400, 500],
  payment_preflight_rejected: [400, 403, 404, 409],
  payment_payer_mismatch: [403],
  idempotency_check_unavailable: [503],
  unclassified: [400, 401, 403, 404, 406, 408, 409, 410, 413, 415, 429, 500, 503, 507],
} as const satisfies Record<string, readonly number[]>

export type Reason = keyof typeof reasons

/** The `code` of an error body for each HTTP status. */
export const errorCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  // The interface has no classes of their own for 406, 408 and 410.
  406: 'BAD_REQUEST',
  408: 'BAD_REQUEST',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
  507: 'INSUFFICIENT_STORAGE',
} as const

export type ErrorStatus = keyof typeof errorCodes
