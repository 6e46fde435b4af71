import { setTimeout as delay } from 'node:timers/promises'
import type { Address, Hex } from 'viem'

/** Sends a JSON-RPC request to a node. */
type Ask = (method: string, params: unknown[]) => Promise<unknown>

/** The receipt of a transaction in the words of a local node. */
export interface RawReceipt {
  status: Hex
  contractAddress: Address | null
}

const DEADLINE_MS = 30_000

/**
 * Polls the receipt of a transaction on a local chain. A node that mines at once still answers the sender first, and viem's own
 * wait can miss a block of a busy machine and never return.
 * @throws if it is not mined in half a minute, with the node's pool entry of it
 */
export async function untilMined(ask: Ask, hash: Hex): Promise<RawReceipt> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const receipt = (await ask('eth_getTransactionReceipt', [hash])) as RawReceipt | null
    if (receipt !== null) return receipt
    if (Date.now() > deadline) {
      const nodeAnswer = JSON.stringify(await ask('eth_getTransactionByHash', [hash]))
      throw new Error(`${hash} was not mined in ${DEADLINE_MS / 1000} s; the node holds ${nodeAnswer}`)
    }
    await delay(10)
  }
}
