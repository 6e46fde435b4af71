import type { RateLimitName, RateLimitState } from '../http/client-rate-limits.ts'
/** A quota of units within a time window. */
export interface RateLimit {
  name: RateLimitName
  quota: number
  windowSeconds: number
  /**
   * True if a request may proceed when the database cannot count the request. Reason: the next step of the request also
   * needs the database, and fails with a clearer error.
   */
  allowsUnknown?: true
  /** True if each process counts separately. Used for limits that protect neither money nor a secret. */
  isOfProcess?: true
  /** True if the headers of answers do not contain the limit. */
  isUnstated?: true
}

/** Counts the units that each client has consumed of one rate limit. The default of `units` is 1. */
export interface RateLimitCounter {
  consume(client: string, units?: number): Promise<RateLimitState>
  /** Returns the state of a client's limit without consuming a unit. */
  peek(client: string): Promise<RateLimitState>
  refund(client: string, units?: number): Promise<void>
}
