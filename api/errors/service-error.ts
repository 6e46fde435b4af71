import type { Detail } from '../../protocol/details.ts'
import type { ErrorStatus, Reason } from '../../protocol/reasons.ts'

/** The facts about the relayed write that an error concerns. A fact is absent if it does not apply. */
export interface IntentFacts {
  intentId?: string
  intentStatus?: string
  operation?: string
  idempotencyKey?: string
  txHash?: string
}

/**
 * The facts from which a contract call is built, as JSON. Amounts and ids are decimal strings. The texts of a task are
 * replaced by their hash. Example: `{ facts: { reward: '5000000', deliverables: ['0x11..'] }, escrowAmount: '0' }`.
 */
export interface CallFacts {
  facts: Readonly<Record<string, FactHint>>
  /** The amount that the call pays into escrow, in USDC base units. */
  escrowAmount: string
}

/** The value of one fact on which a call depends, as a hint. The caller must read the current value separately. */
export type FactHint = string | number | null | readonly string[] | { address: string; epoch: string }

export interface FieldIssue {
  /** The path of the field with dots, such as `winners.0.share`. */
  path: string
  message: string
  /** The position of the faulty character in a text field, counted from 1. */
  position?: number
}

export interface ServiceErrorOptions {
  /**
   * The name of the reason for the refusal. It is `service.detail` in the answer and the name of a documentation page.
   */
  detail: Detail
  intent?: IntentFacts
  issues?: FieldIssue[]
  /**
   * Set if the service refuses a payment that is bound to a contract call. These are the facts and the escrow of the
   * call that the service built.
   */
  callFacts?: CallFacts
  /**
   * The error code of the answer. If set, it replaces the default code of the status. Example:
   * `LEGAL_ACCEPTANCE_REQUIRED`.
   */
  code?: string
  headers?: Record<string, string>
  /**
   * True if the service works and refuses the request deliberately. The error is then not logged, even with status 503.
   */
  isRefusal?: boolean
  cause?: unknown
}

/**
 * An expected failure that is reported to the client: an HTTP status, a reason from a fixed list, and one sentence with
 * the fault and the remedy. REST and RPC use it (interface specification, "Errors").
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
