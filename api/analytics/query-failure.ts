/**
 * The kind of a failure.
 * - `syntax`: the text is not valid SQL, or PostgreSQL reports an error that the query causes.
 * - `refused`: the query is not permitted.
 * - `limit`: the query or its answer exceeds a limit.
 * - `parameters`: the number of parameter values is wrong.
 * - `busy`: other queries of the same client are still running or waiting.
 * - `unavailable`: the service has a fault, so a retry can help.
 */
export type FailureKind = 'syntax' | 'refused' | 'limit' | 'parameters' | 'busy' | 'unavailable'

export interface FailureFacts {
  kind: FailureKind
  /** A sentence for the client. It contains no paths, settings or sessions of the server. */
  message: string
  /**
   * The position in the query's text at which the failure occurred, in characters counted from 1; null if the failure
   * has no particular position.
   */
  position: number | null
  /** The type and code of the underlying error, for the log. */
  cause: string | null
}

/** Thrown for a query that cannot be answered. */
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

  /** Returns the fields that the engine process sends to the service. */
  facts(): FailureFacts {
    const { kind, message, position, cause } = this
    return { kind, message, position, cause: typeof cause === 'string' ? cause : null }
  }
}

/** Returns the failure for a query that exceeded its time limit. Example: `timedOut(8_000).kind` is `'limit'`. */
export function timedOut(deadlineMs: number): QueryFailed {
  return new QueryFailed({
    kind: 'limit',
    message: `The query was stopped after ${deadlineMs / 1000} s: narrow it (WHERE on an indexed column, LIMIT, fewer joins); POST /api/sql/explain shows its plan.`,
  })
}
