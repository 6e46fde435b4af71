import 'hono'
/** The state of a limit after a request: `left` units, and `seconds` until the whole quota is available again. */
export interface RateLimitState {
  granted: boolean
  left: number
  seconds: number
}

/**
 * The rate limits of a client IP (Interface, "Limits"; docs/build/limits.md). `taskAccessTries` counts all clients of a
 * task, `recoveryTries` all clients of a wallet.
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

/** The rate limits of one client. */
export interface ClientRateLimits {
  /**
   * Consumes one unit, or `units`; the answer's headers show the remainder. `subject`: the owner of the units, by
   * default the client.
   * @throws ServiceError 429 when nothing is left
   */
  consume: (name: RateLimitName, subject?: string, units?: number) => Promise<void>
  /** Consumes a unit for work that is done already, and never refuses. */
  count: (name: RateLimitName) => Promise<void>
  /**
   * Checks a limit without consuming.
   * @throws ServiceError 429 when nothing is left
   */
  require: (name: RateLimitName) => Promise<void>
  /** Refunds one unit, or `units`, of a request that turned out to be free. `subject`: as in `consume`. */
  refund: (name: RateLimitName, subject?: string, units?: number) => Promise<void>
  /** Returns the `RateLimit` and `RateLimit-Policy` headers of the limits that counted the request, or none. */
  headers: () => Record<string, string>
}

declare module 'hono' {
  interface ContextVariableMap {
    rateLimits: ClientRateLimits
  }
}
