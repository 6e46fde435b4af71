import { setTimeout as delay } from 'node:timers/promises'
import type { Address, Hex } from 'viem'

/** Asks a node by a JSON-RPC method. */
type Ask = (method: string, params: unknown[]) => Promise<unknown>

/** What a local node says of a mined transaction, as it says it. */
export interface RawReceipt {
  status: Hex
  contractAddress: Address | null
}

const DEADLINE_MS = 30_000

/**
 * The receipt of a transaction that was sent to a local chain, asked for again and again: a node that mines at once
 * still answers the sender first, and viem's own wait can miss a block of a busy machine and never return.
 * @throws when it is not mined in half a minute, with what the node holds of it
 */
export async function untilMined(ask: Ask, hash: Hex): Promise<RawReceipt> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const receipt = (await ask('eth_getTransactionReceipt', [hash])) as RawReceipt | null
    if (receipt !== null) return receipt
    if (Date.now() > deadline) {
      const held = JSON.stringify(await ask('eth_getTransactionByHash', [hash]))
      throw new Error(`${hash} was not mined in ${DEADLINE_MS / 1000} s; the node holds ${held}`)
    }
    await delay(10)
  }
}
