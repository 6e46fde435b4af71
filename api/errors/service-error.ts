import type { ErrorStatus, Reason } from '../../protocol/reasons.ts'
import type { Detail } from '../domain/details.ts'

/** What an error says about the relayed write it belongs to; only what applies is present. */
export interface IntentFacts {
  intentId?: string
  intentStatus?: string
  operation?: string
  idempotencyKey?: string
  txHash?: string
}

export interface FieldIssue {
  /** Dotted path of the field, such as `winners.0.share`. */
  path: string
  message: string
  /** The character of a text field that it is about, from 1. */
  position?: number
}

export interface ServiceErrorOptions {
  /** The condition that refused, for `service.detail` and its page. */
  detail?: Detail
  intent?: IntentFacts
  issues?: FieldIssue[]
  /** Replaces the class name of the status, as `LEGAL_ACCEPTANCE_REQUIRED` does. */
  code?: string
  headers?: Record<string, string>
  /** The service works and refuses the request, with 503 too: its log gets no error. */
  isRefusal?: boolean
  cause?: unknown
}

/**
 * An expected failure on its way to the client: a status, a reason from the fixed list and one sentence that says what
 * was wrong and what to do. Rendered once, for REST and RPC alike (Interface, "Errors").
 */
export class ServiceError extends Error {
  readonly status: ErrorStatus
  readonly reason: Reason
  readonly options: ServiceErrorOptions

  constructor(status: ErrorStatus, reason: Reason, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.status = status
    this.reason = reason
    this.options = options
  }
}
