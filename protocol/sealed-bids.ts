/**
 * Returns whether each bid is visible only to the bidder. True in a reverse english auction before the bid deadline
 * (interface specification, "Tasks").
 * Example: in a reverse english auction with `bidDeadline: 100n`, the result is true at 99n and false at 100n.
 * @param now time of the latest block, Unix seconds
 */
export function areBidsSealed(
  { auctionType, bidDeadline }: { auctionType: string | null; bidDeadline: bigint | null },
  now: bigint,
): boolean {
  return auctionType === 'reverse_english' && bidDeadline !== null && now < bidDeadline
}
