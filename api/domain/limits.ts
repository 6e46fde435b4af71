/**
 * The bounds of the market contract (contracts/src/types/Limits.sol). The rules of the service refuse a value outside
 * the bounds, before the contract would refuse it.
 */

export { MAX_SCORE, MAX_WINNERS, MIN_BID, STALE_AFTER_SECONDS } from '../../protocol/limits.ts'
export { ACTION_FEE, MAX_REWARD, MIN_REWARD } from '../../protocol/prices.ts'

/** The longest time from now to a task's expiry, in seconds: ten years of 365 days. */
export const MAX_DURATION_SECONDS = 3650n * 24n * 3600n
/** The largest rank that an evaluator or resolver may give an award. */
export const MAX_RANK = 255
/** The shortest appeal window of a verdict, in seconds. */
export const MIN_APPEAL_WINDOW_SECONDS = 300n
/** The largest number of hooks of a task, including the market's default hooks. */
export const MAX_HOOKS = 8
/**
 * The number of bids in one auction after which only a bid below the lowest bid is allowed. A bid that a later bid
 * replaced counts as well.
 */
export const MAX_BIDS = 500
