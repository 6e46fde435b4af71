import type { PublicClient } from 'viem'
import type { ChainHead } from './chain.ts'

/** How old a head may be that a read is answered with, milliseconds. */
const FRESH_FOR_MS = 1_000

/** The head of the chain, asked for as seldom as its users allow. */
export interface HeadCache {
  head(): Promise<ChainHead>
  latestHead(): Promise<ChainHead>
}

/** Callers that ask at the same time share one request. */
export function createHeadCache(client: PublicClient): HeadCache {
  let last: { head: ChainHead; askedAt: number } | null = null
  let asking: Promise<ChainHead> | null = null

  const ask = async (): Promise<ChainHead> => {
    const askedAt = performance.now()
    const { number, hash, parentHash, timestamp } = await client.getBlock({ blockTag: 'latest' })
    last = { head: { number, hash, parentHash, timestamp }, askedAt }
    return last.head
  }
  const latestHead = (): Promise<ChainHead> => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
  return {
    latestHead,
    head: async () =>
      last !== null && performance.now() - last.askedAt < FRESH_FOR_MS ? last.head : await latestHead(),
  }
}
