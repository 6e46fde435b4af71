import type { Anvil } from './anvil.ts'

/**
 * Mines a block at an interval, beside those of transactions. A node with a block time of its own cannot mine transactions
 * together (`mineTogether`). Example: `mineEvery(anvil, 3_000)`.
 * @returns a function that ends it
 */
export function mineEvery({ request }: Pick<Anvil, 'request'>, milliseconds: number): () => void {
  // A node that ended is noticed by its launcher.
  const timer = setInterval(() => request('evm_mine').catch(() => {}), milliseconds)
  return () => clearInterval(timer)
}
