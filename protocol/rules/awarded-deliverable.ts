import { type Hex, zeroHash } from 'viem'

/**
 * Returns the deliverable of an award. It is `loggedHash`, which the event of the award contains. If `loggedHash` is
 * zero, the result is `latestHash`, the deliverable of the worker's latest submission.
 * Example: `toAwardedDeliverable('0x11..', null)` is `0x11..`.
 * @throws if `loggedHash` is zero and `latestHash` is null: the market awarded a worker who submitted nothing
 */
export function toAwardedDeliverable(loggedHash: Hex, latestHash: Hex | null): Hex {
  // A verdict in a contest names only workers, so the logged hash is zero. The latest submission is never a rejected
  // one: a rejected worker cannot be awarded, and nobody submits after a verdict.
  if (loggedHash !== zeroHash) return loggedHash
  if (latestHash === null) throw new Error('an award for no deliverable')
  return latestHash
}
