/** Bounds of the market contract (contracts/src/types/Limits.sol), which the rules refuse to cross before it does. */

export { MAX_SCORE, MAX_WINNERS, MIN_BID, STALE_AFTER_SECONDS } from '../../protocol/limits.ts'
export { ACTION_FEE, MAX_REWARD, MIN_REWARD } from '../../protocol/prices.ts'

/** Longest time from now to an expiry, seconds: ten years of 365 days. */
export const MAX_DURATION_SECONDS = 3650n * 24n * 3600n
/** Largest rank of an evaluator's or resolver's award. */
export const MAX_RANK = 255
/** Shortest time to appeal a verdict, seconds. */
export const MIN_APPEAL_WINDOW_SECONDS = 300n
/** Hooks of a task in all, the market's own included. */
export const MAX_HOOKS = 8
/** Bids placed in one auction, replaced ones counted, from which on only a bid below the lowest one is taken. */
export const MAX_BIDS = 500
