import type { Address } from 'viem'
import type { TaskTerms } from './task-terms.ts'

/** The hooks of the task's own in their order, the market's not among them. */
export function toOwnHooks({
  hookContract,
  hookContracts,
}: Pick<TaskTerms, 'hookContract' | 'hookContracts'>): readonly Address[] {
  return hookContracts ?? (hookContract === undefined ? [] : [hookContract])
}
