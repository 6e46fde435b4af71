import 'hono'
/** What is left after a request: `seconds` until the whole quota is available again. */
export interface RateLimitState {
  granted: boolean
  left: number
  seconds: number
}

/** What a client IP may use up (Interface, "Limits"; docs/limits.md); `taskAccessTries`: all clients of a task;
 * `recoveryTries`: all clients of a wallet. */
export type RateLimitName =
  | 'reads'
  | 'writes'
  | 'intentReads'
  | 'freeRelays'
  | 'exitGas'
  | 'clientExitGas'
  | 'entryGas'
  | 'clientEntryGas'
  | 'newcomerGas'
  | 'clientNewcomerGas'
  | 'revertedWrites'
  | 'devices'
  | 'mints'
  | 'allMints'
  | 'reservedMints'
  | 'consents'
  | 'accessTries'
  | 'taskAccessTries'
  | 'withdrawalAddresses'
  | 'recoveryTries'
  | 'ownRecoveryTries'
  | 'allRecoveryTries'
  | 'webhookTests'
  | 'sql'

/** The rate limits of one client. */
export interface ClientRateLimits {
  /**
   * Consumes one unit, or `units`; the answer's headers say what is left. `subject`: whose units, unless the client's.
   * @throws ServiceError 429 when nothing is left
   */
  consume: (name: RateLimitName, subject?: string, units?: number) => Promise<void>
  /** Consumes one unit, if one is left, for what is done already: never refuses. */
  count: (name: RateLimitName) => Promise<void>
  /**
   * Consumes nothing.
   * @throws ServiceError 429 when nothing is left
   */
  require: (name: RateLimitName) => Promise<void>
  /** Gives one unit back, or `units`: the request turned out to be one that costs nothing. `subject`: as in `consume`. */
  refund: (name: RateLimitName, subject?: string, units?: number) => Promise<void>
  /** Names the limits that the request was counted by, for its answer: `RateLimit` and `RateLimit-Policy`, or no header. */
  headers: () => Record<string, string>
}

declare module 'hono' {
  interface ContextVariableMap {
    rateLimits: ClientRateLimits
  }
}
