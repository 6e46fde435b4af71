/**
 * Whether who bids what is for the bidders themselves to know: in a reverse english auction, until its deadline.
 * Interface, "Tasks". `now`: chain head's time, Unix seconds.
 */
export function areBidsSealed(
  { auctionType, bidDeadline }: { auctionType: string | null; bidDeadline: bigint | null },
  now: bigint,
): boolean {
  return auctionType === 'reverse_english' && bidDeadline !== null && now < bidDeadline
}
