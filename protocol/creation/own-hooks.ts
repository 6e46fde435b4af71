import type { Address } from 'viem'
import type { TaskTerms } from './task-terms.ts'

/**
 * Returns the requester's own hooks of a task in their order, without the market's default hooks.
 * Example: `toOwnHooks({ hookContract: '0xaa..' })` is `['0xaa..']`.
 */
export function toOwnHooks({
  hookContract,
  hookContracts,
}: Pick<TaskTerms, 'hookContract' | 'hookContracts'>): readonly Address[] {
  return hookContracts ?? (hookContract === undefined ? [] : [hookContract])
}
