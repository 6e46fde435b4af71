import { vi } from 'vitest'
import type { Actor } from '../actors.ts'
import type { World } from '../conformance.ts'
import { createX402Fetch } from '../x402-client.ts'

/**
 * `fetch` that pays by itself as the x402 project ships it, at the time of the chain: its clock is the host's, which
 * stories leave behind by months.
 */
export function createPayingFetch(world: Pick<World, 'chain' | 'fetch'>, { account }: Actor): typeof fetch {
  const payingFetch = createX402Fetch(account, { fetch: world.fetch })
  return async (input, init) => {
    vi.setSystemTime(Number(await world.chain.headTime()) * 1000)
    try {
      return await payingFetch(input, init)
    } finally {
      vi.useRealTimers()
    }
  }
}
