/**
 * Bounds of the market contract (contracts/src/types/Limits.sol) and of the service that both sides follow: defaults and gas of
 * operations, and forms that refuse a value before it is sent.
 */

/** Most winners of a split, and most awards of a verdict. */
export const MAX_WINNERS = 50
/** Largest score and confidence of a verdict. */
export const MAX_SCORE = 1000
/** Smallest bid, base units. */
export const MIN_BID = 1_000n
/** Time from a task's last deadline until any account may settle it, seconds: 90 days. */
export const STALE_AFTER_SECONDS = 90n * 24n * 3600n
/** Smallest withdrawal without gas, USDC base units: below it the gas is worth more. */
export const MIN_WITHDRAWAL = 1_000n
