import type { Detail } from '../../protocol/details.ts'
import type { ErrorStatus, Reason } from '../../protocol/reasons.ts'

/** What an error says about the relayed write it belongs to; only what applies is present. */
export interface IntentFacts {
  intentId?: string
  intentStatus?: string
  operation?: string
  idempotencyKey?: string
  txHash?: string
}

/**
 * The facts of a call, in the form of JSON: amounts and ids as decimal strings, the texts of a task by their hash.
 * Example: `{ facts: { reward: '5000000', deliverables: ['0x11..'] }, escrowAmount: '0' }`.
 */
export interface CallFacts {
  facts: Readonly<Record<string, FactHint>>
  /** Base units. */
  escrowAmount: string
}

/** One fact. Hints: the caller reads them again. */
export type FactHint = string | number | null | readonly string[] | { address: string; epoch: string }

export interface FieldIssue {
  /** Dotted path of the field, such as `winners.0.share`. */
  path: string
  message: string
  /** The character of a text field that it is about, from 1. */
  position?: number
}

export interface ServiceErrorOptions {
  /** The condition that refused, for `service.detail` and its page. */
  detail: Detail
  intent?: IntentFacts
  issues?: FieldIssue[]
  /** The facts by which the service made the call of a refused bound payment, and the escrow of that call. */
  callFacts?: CallFacts
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

  constructor(status: ErrorStatus, reason: Reason, message: string, options: ServiceErrorOptions) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.status = status
    this.reason = reason
    this.options = options
  }
}
