/** Bounds of the market contract (contracts/src/types/Limits.sol) that defaults and gas of operations follow from. */

/** Most winners of a split, and most awards of a verdict. */
export const MAX_WINNERS = 50
/** Largest score and confidence of a verdict. */
export const MAX_SCORE = 1000
