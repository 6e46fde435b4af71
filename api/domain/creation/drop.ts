import type { Address } from 'viem'
import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

/** A drop as its rules see it. */
export interface DropFacts {
  owner: Address
}

/**
 * Whether a task may join the drop it names: null admits. Unknown ones are refused before the payment, a stranger
 * else's once the payer is known. Interface, "Tasks": only the owner of a drop adds tasks to it.
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
