import 'hono'
/**
 * The state of a rate limit after a request. `left`: the units that are left. `seconds`: the time until the whole quota
 * is available again.
 */
export interface RateLimitState {
  granted: boolean
  left: number
  seconds: number
}

/**
 * The names of the rate limits (docs/build/limits.md). Most limits count the requests of one client IP.
 * `taskAccessTries` counts all clients' tries for one task, and `recoveryTries` all clients' tries for one wallet.
 */
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

/** The rate limits that apply to the client of a request. */
export interface ClientRateLimits {
  /**
   * Consumes `units` units (default: 1) of a limit. The answer's headers then contain the remaining units. `subject` is
   * the key whose units are consumed (default: the client's IP).
   * @throws ServiceError 429 if not enough units are left
   */
  consume: (name: RateLimitName, subject?: string, units?: number) => Promise<void>
  /** Consumes a unit of a limit for work that is already done. Never refuses the request, even if no unit is left. */
  count: (name: RateLimitName) => Promise<void>
  /**
   * Checks a limit without consuming a unit.
   * @throws ServiceError 429 if no unit is left
   */
  require: (name: RateLimitName) => Promise<void>
  /** Refunds `units` units (default: 1) that a request consumed. `subject` must be as in `consume`. */
  refund: (name: RateLimitName, subject?: string, units?: number) => Promise<void>
  /**
   * Returns the headers `RateLimit` and `RateLimit-Policy` for the limits that counted this request. Returns no headers
   * if no limit counted it.
   */
  headers: () => Record<string, string>
}

declare module 'hono' {
  interface ContextVariableMap {
    rateLimits: ClientRateLimits
  }
}
