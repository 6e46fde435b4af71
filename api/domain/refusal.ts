import type { Detail } from '../../protocol/details.ts'

/** Why an action is not admitted: a value, never thrown by the rules. The edge turns it into an error. */
export interface Refusal {
  /** 400 bad input, 403 role or signature, 404 unknown task, 409 state, 429 an allowance is used up. */
  status: 400 | 403 | 404 | 409 | 429
  /** The condition that refuses, such as `wrong_state`: `service.detail` of the answer. */
  failure: Detail
  /** One sentence a stranger can act on. */
  message: string
  /** The payer of a paid submission is not its worker: the one refusal with a reason of its own. */
  payerMismatch?: true
  /** The field the refusal is about, when it is about one. */
  field?: string
  /** When the same is admitted again, seconds from now; absent where waiting does not help. */
  retryAfterSeconds?: number
}

/** Makes a refusal. */
export function refuse(
  status: Refusal['status'],
  failure: Detail,
  message: string,
  options: Pick<Refusal, 'field' | 'payerMismatch' | 'retryAfterSeconds'> = {},
): Refusal {
  return { status, failure, message, ...options }
}
