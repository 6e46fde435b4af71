import type { Context } from 'hono'

/** What the parts of a request find out that its log line tells. */
export interface RequestFacts {
  /** Of a relayed write. */
  operation?: string
  intentId?: string
  /** How long it waited for another answer, as its client asked: no time of the service. */
  waitedMilliseconds?: number
  /** Of an error answer. */
  reason?: string
}

declare module 'hono' {
  interface ContextVariableMap {
    requestFacts: RequestFacts
  }
}

/** Adds to what is known of this request. */
export function recordRequest(c: Context, facts: RequestFacts): void {
  c.set('requestFacts', { ...requestFactsOf(c), ...facts })
}

export function requestFactsOf(c: Context): RequestFacts {
  return c.get('requestFacts') ?? {}
}
