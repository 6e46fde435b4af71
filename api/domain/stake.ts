import { partOf } from '../../protocol/rules/amounts.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the stake of a claim in USDC base units: floor(reward * stakeBps / 10000), as the market computes it.
 * Example: `stakeOf({ reward: 1_000_000n, stakeBps: 500 })` returns `50000n`.
 */
export function stakeOf({ reward, stakeBps }: Pick<TaskSnapshot, 'reward' | 'stakeBps'>): bigint {
  return partOf(reward, stakeBps)
}
