import type { Address, Hex } from 'viem'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the worker's latest deliverable, for which an acceptance pays.
 * @throws Error if the worker has no deliverable; call this function only for an allowed acceptance
 */
export function getLatestDeliverable({ entries }: TaskSnapshot, worker: Address): Hex {
  // A rejection covers all deliverables of a worker. So the latest is active if any is active.
  const deliverable = entries.get(worker)?.latestDeliverable
  if (!deliverable) throw new Error(`an acceptance of ${worker} was admitted without a deliverable`)
  return deliverable
}
