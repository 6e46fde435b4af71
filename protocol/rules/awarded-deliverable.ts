import { type Hex, zeroHash } from 'viem'

/**
 * Returns the deliverable of an award. `logged` is the event's; it is zero where a verdict awarded a worker of a contest, whose
 * latest submission then counts. No worker submits after a verdict, and rejected workers are not awarded, so that submission is
 * active.
 * Example: `toAwardedDeliverable('0x11..', null)` is `0x11..`.
 * @throws when there is neither: the market awarded a worker who submitted nothing
 */
export function toAwardedDeliverable(logged: Hex, latest: Hex | null): Hex {
  if (logged !== zeroHash) return logged
  if (latest === null) throw new Error('an award for no deliverable')
  return latest
}
