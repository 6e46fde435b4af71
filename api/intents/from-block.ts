import type { BoundIntent } from './intent.ts'

/** The deepest reorg that is expected, blocks. */
const DEEPEST_REORG = 64n

/**
 * Returns the block from which the chain is searched for an intent's outcome. The outcome cannot be older than the
 * bind, but a reorg may move a transaction to a lower block. Example: `fromBlockOf({ boundAtBlock: 100n })` returns
 * `36n`.
 */
export function fromBlockOf({ boundAtBlock }: Pick<BoundIntent, 'boundAtBlock'>): bigint {
  return boundAtBlock > DEEPEST_REORG ? boundAtBlock - DEEPEST_REORG : 0n
}
