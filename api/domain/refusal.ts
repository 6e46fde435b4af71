import type { Detail } from '../../protocol/details.ts'

/** The refusal of an action: a value, never thrown by the rules. The edge converts it to an error. */
export interface Refusal {
  /**
   * The HTTP status: 400 bad input, 403 role or signature, 404 unknown task, 409 state, 429 an allowance is used up.
   */
  status: 400 | 403 | 404 | 409 | 429
  /** The condition that refuses, such as `wrong_state`: `service.detail` of the answer. */
  failure: Detail
  /** One sentence that says what to do next. */
  message: string
  /** True when the payer of a paid submission is not its worker; this refusal alone has a reason of its own. */
  payerMismatch?: true
  /** The field at fault; absent: none. */
  field?: string
  /** The seconds until a repetition is admitted; absent where waiting does not help. */
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
