import type { Context } from 'hono'

/** The facts of a request for its log line. */
export interface RequestFacts {
  /** The operation of a relayed write. */
  operation?: string
  intentId?: string
  /** The wait for another answer that the client requested; it is no processing time. */
  waitedMilliseconds?: number
  /** The reason of an error answer. */
  reason?: string
}

declare module 'hono' {
  interface ContextVariableMap {
    requestFacts: RequestFacts
  }
}

/** Adds facts of this request. */
export function recordRequest(c: Context, facts: RequestFacts): void {
  c.set('requestFacts', { ...requestFactsOf(c), ...facts })
}

export function requestFactsOf(c: Context): RequestFacts {
  return c.get('requestFacts') ?? {}
}
