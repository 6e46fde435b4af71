import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client, type x402ClientConfig } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem'

export interface X402FetchOptions {
  /** The wrapped `fetch`; the global one unless given. */
  fetch?: typeof globalThis.fetch
  /** Its spending limits; unless given, the client's own cap of a dollar per payment is off. */
  spendControls?: x402ClientConfig['spendControls']
}

/** `fetch` that pays a 402, as the x402 project ships it. */
export function createX402Fetch(
  account: PrivateKeyAccount,
  { fetch = globalThis.fetch, spendControls = false }: X402FetchOptions = {},
): ReturnType<typeof wrapFetchWithPayment> {
  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
    spendControls,
  })
  return wrapFetchWithPayment(fetch, client)
}
