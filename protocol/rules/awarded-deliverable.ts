import { type Hex, zeroHash } from 'viem'

/**
 * Returns the deliverable of an award. A verdict in a contest names only workers, so `loggedHash`, the deliverable in
 * the event, is then the zero hash. In this case the worker's latest submission, `latestHash`, is the awarded one. It
 * cannot be a rejected submission: nobody submits after a verdict, and a rejected worker cannot be awarded.
 * Example: `toAwardedDeliverable('0x11..', null)` is `0x11..`.
 * @throws if `loggedHash` is zero and `latestHash` is null: the market awarded a worker who submitted nothing
 */
export function toAwardedDeliverable(loggedHash: Hex, latestHash: Hex | null): Hex {
  if (loggedHash !== zeroHash) return loggedHash
  if (latestHash === null) throw new Error('an award for no deliverable')
  return latestHash
}
