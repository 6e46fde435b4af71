/** Why an action is not admitted: a value, never thrown by the rules. The edge turns it into an error. */
export interface Refusal {
  /** 400 bad input, 403 role or signature, 404 unknown task, 409 state, 429 an allowance is used up. */
  status: 400 | 403 | 404 | 409 | 429
  /** A stable word for the failure, such as `task_not_open`; for logs and tests. */
  failure: string
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
  failure: string,
  message: string,
  options: Pick<Refusal, 'field' | 'payerMismatch' | 'retryAfterSeconds'> = {},
): Refusal {
  return { status, failure, message, ...options }
}
