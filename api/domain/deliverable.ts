import type { Address, Hex } from 'viem'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the deliverable that an acceptance of the worker pays for: the worker's latest. The latest is active if any
 * of the worker's deliverables is, because a rejection covers all of them.
 * @throws Error if the worker has no deliverable; call this function only for an acceptance that was admitted
 */
export function getLatestDeliverable({ entries }: TaskSnapshot, worker: Address): Hex {
  const deliverable = entries.get(worker)?.latestDeliverable
  if (!deliverable) throw new Error(`an acceptance of ${worker} was admitted without a deliverable`)
  return deliverable
}
