import { setTimeout as pause } from 'node:timers/promises'
import { type Hex, numberToHex } from 'viem'
import type { Anvil } from '../../../scripts/chain/anvil.ts'

type Node = Pick<Anvil, 'request'>

/** Mines the pending transactions, and empty blocks. */
export async function mine(node: Node, blocks = 1): Promise<void> {
  await node.request('anvil_mine', [numberToHex(blocks)])
}

/** Mines a block this often, as a chain that goes on by itself. @returns a function that ends it */
export function startBlocks(node: Node, everyMs: number): () => Promise<void> {
  const stopping = new AbortController()
  const mining = (async () => {
    while (!stopping.signal.aborted) {
      await mine(node)
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  mining.catch(() => {})
  return async () => {
    stopping.abort()
    await mining
  }
}

/** Mines a block with a time this many seconds after the head, independent of the host's clock. */
export async function jumpTime(node: Node, seconds: number): Promise<void> {
  const head = (await node.request('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  await node.request('evm_setNextBlockTimestamp', [Number(head.timestamp) + seconds])
  await node.request('evm_mine')
}
