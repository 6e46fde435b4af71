import { type ClaimStatus, moveClaimStatus, parseClaimStatus } from '../../protocol/rules/claim-status.ts'
import { toClaimId } from '../../protocol/rules/row-ids.ts'
import { claim } from '../schema/claim.ts'
import type { Store } from './store.ts'
import type { TaskRow } from './tasks.ts'

/**
 * Moves the present claim of a task: its assigned worker's in its round.
 * @throws when there is none, or it may not move there
 */
export async function moveClaim(store: Store, task: TaskRow, to: ClaimStatus): Promise<void> {
  if (task.worker === null) throw new Error(`task ${task.id} has no worker, and so no claim`)
  const id = toClaimId(task.id, { worker: task.worker, round: task.claimRound })
  await store.update(claim, { id }).set((row) => ({ status: moveClaimStatus(parseClaimStatus(row.status), to) }))
}
