import 'hono'
/** What is left after a request: `seconds` until the whole quota is available again. */
export interface RateLimitState {
  granted: boolean
  left: number
  seconds: number
}

/** What a client IP may use up (Interface, "Limits"; docs/limits.md); `taskAccessTries`: all clients of a task. */
export type RateLimitName =
  | 'reads'
  | 'writes'
  | 'intentReads'
  | 'freeRelays'
  | 'revertedWrites'
  | 'devices'
  | 'consents'
  | 'accessTries'
  | 'taskAccessTries'
  | 'sql'

/** The rate limits of one client. */
export interface ClientRateLimits {
  /**
   * Consumes one unit; the answer's headers say what is left. `subject`: whose unit it is, unless the client's.
   * @throws ServiceError 429 when nothing is left
   */
  consume: (name: RateLimitName, subject?: string) => Promise<void>
  /** Consumes one unit, if one is left, for what is done already: never refuses. */
  count: (name: RateLimitName) => Promise<void>
  /**
   * Consumes nothing.
   * @throws ServiceError 429 when nothing is left
   */
  require: (name: RateLimitName) => Promise<void>
  /** Gives one unit back: the request turned out to be one that costs nothing. */
  refund: (name: RateLimitName) => Promise<void>
}

declare module 'hono' {
  interface ContextVariableMap {
    rateLimits: ClientRateLimits
  }
}
