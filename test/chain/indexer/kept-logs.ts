import type { Hex } from 'viem'
import type { MarketChain } from './market-chain.ts'

/** The blocks whose logs are read, both included. */
export interface BlockRange {
  fromBlock: bigint
  toBlock: bigint
}

/**
 * Reads logs of a chain since its deployment, in order. Random calls are chosen by the logs at every block: only blocks
 * since the last read are read and parsed, and all of them when a reorg undid that one.
 */
export function createLogReader<Parsed>(
  readBlocks: (chain: MarketChain, range: BlockRange) => Promise<Parsed[]>,
): (chain: MarketChain) => Promise<readonly Parsed[]> {
  /** What was read of a chain, up to the block of this number and hash. */
  const kept = new WeakMap<MarketChain, { number: bigint; hash: Hex; logs: readonly Parsed[] }>()
  return async (chain) => {
    const { number, hash } = await chain.client.getBlock()
    const last = kept.get(chain)
    if (last?.hash === hash) return last.logs
    const isCanonical = last !== undefined && last.number < number && (await hasBlock(chain, last))
    const fromBlock = isCanonical ? last.number + 1n : BigInt(chain.deployment.startBlock)
    const added = await readBlocks(chain, { fromBlock, toBlock: number })
    const logs = isCanonical ? [...last.logs, ...added] : added
    kept.set(chain, { number, hash, logs })
    return logs
  }
}

async function hasBlock({ client }: MarketChain, { number, hash }: { number: bigint; hash: Hex }): Promise<boolean> {
  return (await client.getBlock({ blockNumber: number })).hash === hash
}
