import type { Address } from 'viem'
import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

/**
 * The facts about a task drop that its rules need. A task drop is a group of tasks that their requester shows together.
 */
export interface DropFacts {
  owner: Address
}

/**
 * Returns the refusal of a new task's membership in a task drop, or null to admit it. An unknown drop is refused before
 * the payment. A drop of another owner is refused once the payer is known, because only the owner of a drop may add
 * tasks to it. See the interface specification, "Tasks".
 * @param drop null if no drop has the requested id
 * @param actor the payer; null while the payer is unknown
 */
export function admitToDrop(
  { taskDropId }: Pick<CreationTerms, 'taskDropId'>,
  drop: DropFacts | null,
  actor: Address | null,
): Refusal | null {
  if (taskDropId === undefined) return null
  const field = 'taskDropId'
  if (drop === null) return refuse(404, 'task_drop_not_found', `There is no task drop ${taskDropId}.`, { field })
  if (actor === null || actor === drop.owner) return null
  return refuse(403, 'not_drop_owner', 'Only its owner adds tasks to a task drop; nothing was charged.', { field })
}
