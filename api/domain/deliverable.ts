import type { Address, Hex } from 'viem'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the deliverable that an acceptance of this worker pays for: the latest. It is active when any of the worker's
 * is, because a rejection covers all.
 * @throws when the worker has none; call it for admitted acceptances only
 */
export function getLatestDeliverable({ entries }: TaskSnapshot, worker: Address): Hex {
  const deliverable = entries.get(worker)?.latestDeliverable
  if (!deliverable) throw new Error(`an acceptance of ${worker} was admitted without a deliverable`)
  return deliverable
}
