/**
 * Limits of the market contract (contracts/src/types/Limits.sol), which the service applies too. Operations use them
 * for defaults and gas. Input forms use them to refuse a value early.
 */

/** Maximum number of workers among whom a reward can be split, and of awards in one verdict. */
export const MAX_WINNERS = 50
/** Maximum score and maximum confidence of a verdict. */
export const MAX_SCORE = 1000
/** Minimum bid, USDC base units. */
export const MIN_BID = 1_000n
/** Time from a task's last deadline after which any account may settle the task (settleStale), seconds: 90 days. */
export const STALE_AFTER_SECONDS = 90n * 24n * 3600n
/**
 * Minimum of a free withdrawal, in USDC base units. The gas of a smaller withdrawal would cost more than the amount.
 */
export const MIN_WITHDRAWAL = 1_000n
