import type { Detail } from '../../protocol/details.ts'

/** The refusal of an action. Rules return a refusal as a value. The HTTP layer converts the value to an error. */
export interface Refusal {
  /**
   * The HTTP status. 400: bad input. 403: wrong role or signature. 404: unknown task. 409: wrong state. 429: an
   * allowance is used up.
   */
  status: 400 | 403 | 404 | 409 | 429
  /**
   * The name of the reason for the refusal, such as `wrong_state`. The error answer contains the name as
   * `service.detail`.
   */
  failure: Detail
  /** A message that says why the action is refused or what to do next. */
  message: string
  /**
   * True if the payer of a paid submission is not the submission's worker. The error answer then has the `reason`
   * `payment_payer_mismatch`.
   */
  payerMismatch?: true
  /** The request field that causes the refusal; absent if no field does. */
  field?: string
  /** The seconds until the same request may be admitted; absent if waiting does not help. */
  retryAfterSeconds?: number
}

/** Creates a refusal. Example: `refuse(409, 'no_evaluator', 'The task has no evaluator.')`. */
export function refuse(
  status: Refusal['status'],
  failure: Detail,
  message: string,
  options: Pick<Refusal, 'field' | 'payerMismatch' | 'retryAfterSeconds'> = {},
): Refusal {
  return { status, failure, message, ...options }
}
