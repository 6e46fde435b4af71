import type { Address } from 'viem'
import type { TaskTerms } from './task-terms.ts'

/**
 * Returns the hooks that the requester chose for a task, in the requester's order. Default hooks of the market are not
 * included.
 * Example: `toOwnHooks({ hookContract: '0xaa..' })` is `['0xaa..']`.
 */
export function toOwnHooks({
  hookContract,
  hookContracts,
}: Pick<TaskTerms, 'hookContract' | 'hookContracts'>): readonly Address[] {
  return hookContracts ?? (hookContract === undefined ? [] : [hookContract])
}
