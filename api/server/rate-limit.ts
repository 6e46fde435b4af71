import type { RateLimitName, RateLimitState } from '../http/client-rate-limits.ts'
/** So many units in so many seconds. */
export interface RateLimit {
  name: RateLimitName
  quota: number
  windowSeconds: number
  /** What follows asks the database too: without one, it refuses by itself and says it better. */
  allowsUnknown?: true
  /** Counted by each process for itself: no money and no secret depends on it. */
  isOfProcess?: true
  /** No header of an answer states it. */
  isUnstated?: true
}

/** Counts the units of every client. */
export interface RateLimitCounter {
  consume(client: string, units?: number): Promise<RateLimitState>
  /** What `consume` would answer next, without its unit. */
  peek(client: string): Promise<RateLimitState>
  refund(client: string, units?: number): Promise<void>
}
