import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { vi } from 'vitest'
import type { Actor } from './actors.ts'
import type { Environment } from './conformance.ts'

/**
 * `fetch` that pays a 402, as the x402 project ships it, without its cap of a dollar per payment, at the time of the chain:
 * its clock is the host's, which tests run ahead of.
 */
export function createPayingFetch(
  { chain, fetch }: Pick<Environment, 'chain' | 'fetch'>,
  { account }: Actor,
): typeof fetch {
  const schemes = [{ network: 'eip155:*' as const, client: new ExactEvmScheme(account) }]
  const payingFetch = wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes, spendControls: false }))
  return async (input, init) => {
    vi.setSystemTime(Number(await chain.headTime()) * 1000)
    try {
      return await payingFetch(input, init)
    } finally {
      vi.useRealTimers()
    }
  }
}
