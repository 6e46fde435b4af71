/**
 * Returns whether a bid is below the task's lowest bid. Amounts are base units. `lowestPrice` is null before the first
 * bid.
 * Example: `isNewLowestBid(5n, 5n)` is false.
 */
export function isNewLowestBid(price: bigint, lowestPrice: bigint | null): boolean {
  return lowestPrice === null || price < lowestPrice
}
