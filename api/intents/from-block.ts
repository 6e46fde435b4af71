import type { BoundIntent } from './intent.ts'

/** No reorg of a chain like ours goes deeper, blocks. */
const DEEPEST_REORG = 64n

/**
 * The block from which the chain is searched for what became of an intent. Nothing happened to it before it was bound;
 * but a reorg may put a transaction back into a lower block than the one it was bound at.
 */
export function fromBlockOf({ boundAtBlock }: Pick<BoundIntent, 'boundAtBlock'>): bigint {
  return boundAtBlock > DEEPEST_REORG ? boundAtBlock - DEEPEST_REORG : 0n
}
