import type { Detail } from '../../protocol/details.ts'
import type { ErrorStatus, Reason } from '../../protocol/reasons.ts'

/** The facts of the relayed write that an error belongs to; absent ones do not apply. */
export interface IntentFacts {
  intentId?: string
  intentStatus?: string
  operation?: string
  idempotencyKey?: string
  txHash?: string
}

/**
 * The facts of a call as JSON: amounts and ids as decimal strings, the texts of a task by their hash. Example: `{
 * facts: { reward: '5000000', deliverables: ['0x11..'] }, escrowAmount: '0' }`.
 */
export interface CallFacts {
  facts: Readonly<Record<string, FactHint>>
  /** The escrow in base units. */
  escrowAmount: string
}

/** One fact, which is a hint: the caller reads it again. */
export type FactHint = string | number | null | readonly string[] | { address: string; epoch: string }

export interface FieldIssue {
  /** The dotted path of the field, such as `winners.0.share`. */
  path: string
  message: string
  /** The position in a text field, from 1. */
  position?: number
}

export interface ServiceErrorOptions {
  /** The refusing condition, for `service.detail` and its page. */
  detail: Detail
  intent?: IntentFacts
  issues?: FieldIssue[]
  /** The facts that the call of a refused bound payment was built with, and its escrow. */
  callFacts?: CallFacts
  /** Replaces the class name of the status, for example by `LEGAL_ACCEPTANCE_REQUIRED`. */
  code?: string
  headers?: Record<string, string>
  /** True if the working service refuses the request, with 503 too; it is not logged as an error. */
  isRefusal?: boolean
  cause?: unknown
}

/**
 * An expected failure for the client: a status, a reason from the fixed list, and one sentence with the fault and the
 * remedy. One renderer serves REST and RPC (Interface, "Errors").
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
