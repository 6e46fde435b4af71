import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client, type x402ClientConfig } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem'

export interface X402FetchOptions {
  /** What it wraps; the global one unless given. */
  fetch?: typeof globalThis.fetch
  /** What it may spend without asking; unless given its own cap of a dollar a payment is off. */
  spendControls?: x402ClientConfig['spendControls']
}

/** `fetch` that pays a 402 by itself, as the x402 project ships it. */
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
