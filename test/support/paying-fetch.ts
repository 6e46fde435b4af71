import { vi } from 'vitest'
import type { Actor } from './actors.ts'
import type { Environment } from './conformance.ts'
import { createX402Fetch, type X402FetchOptions } from './x402-client.ts'

/**
 * `fetch` that pays, as the x402 project ships it, at the time of the chain: its clock is the host's, which
 * tests run ahead of.
 */
export function createPayingFetch(
  environment: Pick<Environment, 'chain' | 'fetch'>,
  { account }: Actor,
  options: Pick<X402FetchOptions, 'spendControls'> = {},
): typeof fetch {
  const payingFetch = createX402Fetch(account, { ...options, fetch: environment.fetch })
  return async (input, init) => {
    vi.setSystemTime(Number(await environment.chain.headTime()) * 1000)
    try {
      return await payingFetch(input, init)
    } finally {
      vi.useRealTimers()
    }
  }
}
