import { type ClaimStatus, moveClaimStatus, parseClaimStatus } from '../../protocol/rules/claim-status.ts'
import { toClaimId } from '../../protocol/rules/row-ids.ts'
import { claim } from '../schema/claim.ts'
import type { Store } from './store.ts'
import type { TaskRow } from './tasks.ts'

/**
 * Changes the status of the task's current claim: the claim of `task.worker` in the round `task.claimRound`.
 * @throws if the task has no worker or no current claim, or if the claim's status cannot change to `to`
 */
export async function moveClaim(store: Store, task: TaskRow, to: ClaimStatus): Promise<void> {
  if (task.worker === null) throw new Error(`task ${task.id} has no worker, and so no claim`)
  const id = toClaimId(task.id, { worker: task.worker, round: task.claimRound })
  await store.update(claim, { id }).set((row) => ({ status: moveClaimStatus(parseClaimStatus(row.status), to) }))
}
