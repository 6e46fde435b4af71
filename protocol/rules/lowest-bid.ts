/**
 * Whether a bid becomes the lowest of its task: of equal bids the earlier one stays. Base units; null: no bid yet.
 * The contract's `submitBid`.
 */
export function isNewLowestBid(price: bigint, lowest: bigint | null): boolean {
  return lowest === null || price < lowest
}
