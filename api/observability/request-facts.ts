import type { Context } from 'hono'

/** The fields that the log line of a request contains. */
export interface RequestFacts {
  /** The operation of a relayed write. */
  operation?: string
  intentId?: string
  /**
   * The milliseconds that the request waited for a change, because the client asked to wait. This wait does not count
   * as processing time.
   */
  waitedMilliseconds?: number
  /** The reason in an error answer. */
  reason?: string
}

declare module 'hono' {
  interface ContextVariableMap {
    requestFacts: RequestFacts
  }
}

/** Adds fields to the log line of this request. */
export function recordRequest(c: Context, facts: RequestFacts): void {
  c.set('requestFacts', { ...requestFactsOf(c), ...facts })
}

export function requestFactsOf(c: Context): RequestFacts {
  return c.get('requestFacts') ?? {}
}
