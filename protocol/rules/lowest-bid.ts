/**
 * Returns whether a bid becomes the task's lowest bid. A bid that equals the lowest one does not, as in the contract's
 * `submitBid`. Amounts are base units; `lowest` is null before the first bid.
 * Example: `isNewLowestBid(5n, 5n)` is false.
 */
export function isNewLowestBid(price: bigint, lowest: bigint | null): boolean {
  return lowest === null || price < lowest
}
