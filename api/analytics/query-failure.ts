/**
 * The kind of a failure. `syntax`, `refused` and `limit` concern the query: its text, its rights and its cost;
 * `parameters` concerns their number. `busy` concerns the client's other queries. `unavailable` concerns the service: a
 * retry can help.
 */
export type FailureKind = 'syntax' | 'refused' | 'limit' | 'parameters' | 'busy' | 'unavailable'

export interface FailureFacts {
  kind: FailureKind
  /** A sentence for the client, without paths, settings or sessions of the server. */
  message: string
  /** The character of the text, from 1; null: no particular place. */
  position: number | null
  /** The type and code of the cause, for the log. */
  cause: string | null
}

/** Thrown for a query without an answer. */
export class QueryFailed extends Error {
  readonly kind: FailureKind
  readonly position: number | null

  constructor({
    kind,
    message,
    position = null,
    cause = null,
  }: Pick<FailureFacts, 'kind' | 'message'> & Partial<FailureFacts>) {
    super(message, { cause })
    this.name = 'QueryFailed'
    this.kind = kind
    this.position = position
  }

  /** Returns it in the form that goes from the engine to the service. */
  facts(): FailureFacts {
    const { kind, message, position, cause } = this
    return { kind, message, position, cause: typeof cause === 'string' ? cause : null }
  }
}

/** Returns the failure of a query at its deadline. Example: `timedOut(8_000).kind` is `'limit'`. */
export function timedOut(deadlineMs: number): QueryFailed {
  return new QueryFailed({
    kind: 'limit',
    message: `The query was stopped after ${deadlineMs / 1000} s: narrow it (WHERE on an indexed column, LIMIT, fewer joins); POST /api/sql/explain shows its plan.`,
  })
}
