import type { PublicClient } from 'viem'
import type { Clocks } from '../domain/windows.ts'
import type { ChainClocks, ChainHead } from './chain.ts'

/** How old a head may be that a read is answered with, milliseconds. */
const FRESH_FOR_MS = 1_000

/** The head of the chain, asked for as seldom as its users allow. */
export interface HeadCache {
  head(): Promise<ChainHead>
  latestHead(): Promise<ChainHead>
  clocks(): Promise<Clocks>
  latestClocks(): Promise<ChainClocks>
}

/**
 * Creates the cache of a node's head.
 * @param isLocal the clock of the chain is that of its pending block, not the host's
 */
export function createHeadCache(client: PublicClient, { isLocal }: { isLocal: boolean }): HeadCache {
  let last: { head: ChainHead; askedAt: number } | null = null
  let lastClocks: { clocks: Clocks; askedAt: number } | null = null
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
  const currentTime = async (): Promise<bigint> => {
    if (!isLocal) return BigInt(Math.floor(Date.now() / 1000))
    const { timestamp } = await client.getBlock({ blockTag: 'pending' })
    return timestamp
  }
  const latestClocks = async (): Promise<ChainClocks> => {
    const askedAt = performance.now()
    const [head, current] = await Promise.all([latestHead(), currentTime()])
    const clocks = { head: head.timestamp, current }
    lastClocks = { clocks, askedAt }
    return { head, clocks }
  }
  return {
    latestHead,
    latestClocks,
    clocks: async () =>
      lastClocks !== null && performance.now() - lastClocks.askedAt < FRESH_FOR_MS
        ? lastClocks.clocks
        : (await latestClocks()).clocks,
    head: async () =>
      last !== null && performance.now() - last.askedAt < FRESH_FOR_MS ? last.head : await latestHead(),
  }
}
