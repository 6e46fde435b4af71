import { setTimeout as delay } from 'node:timers/promises'
import type { Address, Hex } from 'viem'

/** Sends a JSON-RPC request to a node. */
type Ask = (method: string, params: unknown[]) => Promise<unknown>

/** The receipt of a transaction, as a local node returns it. */
export interface RawReceipt {
  status: Hex
  contractAddress: Address | null
}

const DEADLINE_MS = 30_000

/**
 * Waits until a transaction is mined on a local chain, by polling for its receipt. The receipt can appear after the
 * answer to the sender, even if the node mines each transaction at once. viem's own wait is not used: on a busy machine
 * it can miss the block and never end.
 * @throws if the transaction is not mined within half a minute; the error contains the transaction as the node knows it
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
