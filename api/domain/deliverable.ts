import type { Address, Hex } from 'viem'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * The deliverable an acceptance of this worker pays for: the latest, which stands when any of its does (a rejection
 * takes them all).
 * @throws when the worker has none; only for admitted acceptances
 */
export function getLatestDeliverable({ entries }: TaskSnapshot, worker: Address): Hex {
  const deliverable = entries.get(worker)?.latestDeliverable
  if (!deliverable) throw new Error(`an acceptance of ${worker} was admitted without a deliverable`)
  return deliverable
}
