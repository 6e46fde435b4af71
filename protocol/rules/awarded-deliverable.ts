import { type Hex, zeroHash } from 'viem'

/**
 * What an award was given for. `logged` is the event's; it is zero where a verdict awarded a worker of a contest, whose
 * latest submission then stands for it. No worker submits after a verdict, and rejected workers are not awarded, so
 * that one is active.
 * @throws when there is neither: the market awarded a worker who submitted nothing
 */
export function toAwardedDeliverable(logged: Hex, latest: Hex | null): Hex {
  if (logged !== zeroHash) return logged
  if (latest === null) throw new Error('an award for no deliverable')
  return latest
}
