/**
 * Returns whether a bid becomes the lowest of its task: the earlier of equal bids stays, as in the contract's `submitBid`. Base
 * units; null: no bid yet.
 * Example: `isNewLowestBid(5n, 5n)` is false.
 */
export function isNewLowestBid(price: bigint, lowest: bigint | null): boolean {
  return lowest === null || price < lowest
}
