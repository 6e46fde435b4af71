import type { RateLimitName, RateLimitState } from '../http/client-rate-limits.ts'
/** A quota of units in a window of seconds. */
export interface RateLimit {
  name: RateLimitName
  quota: number
  windowSeconds: number
  /** True if a request may proceed without a count: its next step needs the database too, and refuses more clearly. */
  allowsUnknown?: true
  /** True if each process counts on its own, because no money and no secret depends on it. */
  isOfProcess?: true
  /** True if no header of an answer states it. */
  isUnstated?: true
}

/** Counts the units of every client. */
export interface RateLimitCounter {
  consume(client: string, units?: number): Promise<RateLimitState>
  /** Returns the next result of `consume`, without consuming. */
  peek(client: string): Promise<RateLimitState>
  refund(client: string, units?: number): Promise<void>
}
