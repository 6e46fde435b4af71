/**
 * Why a query has no answer. `syntax`, `refused` and `limit` are about the query: its text, what it may not do, and what
 * it may not take; `parameters` is about their number. `busy` is about the client's other queries. `unavailable` is about the service: another try can help.
 */
export type FailureKind = 'syntax' | 'refused' | 'limit' | 'parameters' | 'busy' | 'unavailable'

export interface FailureFacts {
  kind: FailureKind
  /** A sentence for the client. Nothing of the server (paths, settings, other sessions) is in it. */
  message: string
  /** Character of the text, from 1; null: of no place in particular. */
  position: number | null
  /** For the log: type and code of the cause. */
  cause: string | null
}

/** A query that has no answer. */
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

/** A query that was still at work at its deadline. */
export function timedOut(deadlineMs: number): QueryFailed {
  return new QueryFailed({
    kind: 'limit',
    message: `The query was stopped after ${deadlineMs / 1000} s: narrow it (WHERE on an indexed column, LIMIT, fewer joins); POST /api/sql/explain shows its plan.`,
  })
}
