/**
 * Returns whether a bid becomes the task's lowest bid. A bid that equals the lowest one does not, as in the contract's
 * `submitBid`. Amounts are base units; `lowestPrice` is null before the first bid.
 * Example: `isNewLowestBid(5n, 5n)` is false.
 */
export function isNewLowestBid(price: bigint, lowestPrice: bigint | null): boolean {
  return lowestPrice === null || price < lowestPrice
}
