/**
 * Returns whether bids are visible to their bidders alone: in a reverse english auction, until its deadline. Interface, "Tasks".
 * `now`: chain head's time, Unix seconds.
 * Example: with `bidDeadline: 100n` true at 99n, false at 100n.
 */
export function areBidsSealed(
  { auctionType, bidDeadline }: { auctionType: string | null; bidDeadline: bigint | null },
  now: bigint,
): boolean {
  return auctionType === 'reverse_english' && bidDeadline !== null && now < bidDeadline
}
