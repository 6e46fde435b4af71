import type { Address } from 'viem'
import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

/**
 * The facts about a task drop that the rules need. A task drop is a group of tasks of one requester. The tasks are
 * shown together.
 */
export interface DropFacts {
  owner: Address
}

/**
 * Returns the refusal to add a new task to a task drop, or null if the request may add the task. An unknown drop is
 * refused before the payment. Only the owner of a drop may add tasks, so another payer is refused as soon as the payer
 * is known. See the interface specification, "Tasks".
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
