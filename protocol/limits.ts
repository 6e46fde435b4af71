/**
 * Limits that the service and the contracts check. Request schemas and forms use them to refuse a value early.
 * Operations use them as default values, and to estimate the gas of a call.
 */

/**
 * Maximum number of winners of a task, among whom its reward is split. A verdict has at most the same number of awards.
 */
export const MAX_WINNERS = 50
/** Maximum score and maximum confidence of a verdict. */
export const MAX_SCORE = 1000
/** Minimum bid, USDC base units. */
export const MIN_BID = 1_000n
/**
 * 90 days in seconds. If a task is undecided this long after its last deadline, any account may settle it
 * (`settleStale`).
 */
export const STALE_AFTER_SECONDS = 90n * 24n * 3600n
/**
 * Minimum of a free withdrawal, in USDC base units. The gas of a smaller withdrawal would cost more than the amount.
 */
export const MIN_WITHDRAWAL = 1_000n
