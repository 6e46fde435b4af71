import type { Detail } from '../../protocol/details.ts'

/**
 * The refusal of an action. Rules return a refusal as a value and never throw it; the HTTP layer converts it to an
 * error.
 */
export interface Refusal {
  /**
   * The HTTP status: 400 for bad input, 403 for a wrong role or signature, 404 for an unknown task, 409 for a wrong
   * state, 429 for an allowance that is used up.
   */
  status: 400 | 403 | 404 | 409 | 429
  /** The name of the condition that refuses, such as `wrong_state`. The error answer has it in `service.detail`. */
  failure: Detail
  /** A message that says why the action is refused or what to do next. */
  message: string
  /**
   * True if the payer of a paid submission is not the submission's worker. Only this refusal has its own `reason` in
   * the error answer.
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
