import { partOf } from '../../protocol/rules/amounts.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

/** What a claim of the task puts in, base units: floor(reward * stakeBps / 10000), as the market takes it. */
export function stakeOf({ reward, stakeBps }: Pick<TaskSnapshot, 'reward' | 'stakeBps'>): bigint {
  return partOf(reward, stakeBps)
}
