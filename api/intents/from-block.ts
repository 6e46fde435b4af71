import type { BoundIntent } from './intent.ts'

/** The largest number of blocks that a reorg is expected to replace. */
const DEEPEST_REORG = 64n

/**
 * Returns the block from which the chain is searched for an intent's outcome. The block is lower than the block at
 * which the intent was bound: after a reorg, the transaction may be in a lower block than before. Example:
 * `fromBlockOf({ boundAtBlock: 100n })` returns `36n`.
 */
export function fromBlockOf({ boundAtBlock }: Pick<BoundIntent, 'boundAtBlock'>): bigint {
  return boundAtBlock > DEEPEST_REORG ? boundAtBlock - DEEPEST_REORG : 0n
}
