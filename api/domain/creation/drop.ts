import type { Address } from 'viem'
import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

/** The facts of a task drop that its rules read. */
export interface DropFacts {
  owner: Address
}

/**
 * Checks if a task may join its drop; null admits it. An unknown drop is refused before the payment, another owner's
 * drop once the payer is known. Interface, "Tasks": only the owner of a drop adds tasks to it.
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
