import type { Anvil } from './anvil.ts'

/**
 * Mines a block at an interval, in addition to the blocks that the node mines for transactions. anvil's own block time
 * is not used, because it does not allow `mineTogether`. Example: `mineEvery(anvil, 3_000)`.
 * @returns a function that ends the mining
 */
export function mineEvery({ request }: Pick<Anvil, 'request'>, milliseconds: number): () => void {
  // A node that ended is noticed by its launcher.
  const timer = setInterval(() => request('evm_mine').catch(() => {}), milliseconds)
  return () => clearInterval(timer)
}
