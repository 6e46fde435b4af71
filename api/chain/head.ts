import type { PublicClient } from 'viem'
import type { Clocks } from '../../protocol/windows.ts'
import { type ChainClocks, type ChainHead, ChainUnavailable, type ReadHead } from './chain.ts'

/** How old a head may be that a read is answered with while the node answers, milliseconds. */
const FRESH_FOR_MS = 1_000
/** How long a read waits for a newer head, milliseconds; the ones after it do not wait until the node has answered. */
const READER_WAIT_MS = 100
/** How long a write waits for the head, milliseconds; while a node hangs, the writes after it are refused at once. */
const HEAD_TIMEOUT_MS = 2_000

/** The head of the chain, asked for as seldom as its users allow. */
export interface HeadCache {
  /** The newest head that is known: of the node, or of the rows. Waits for the node only while nothing is known. */
  head(): Promise<ReadHead>
  /** The newest head that is known, without a question; null: none. */
  knownHead(): ReadHead | null
  /** The clocks with that head. */
  clocks(): Promise<Clocks>
  /** The head as the node knows it now. Throws at once while the node hangs. */
  latestHead(): Promise<ChainHead>
  /** The head as the node knows it now, with the clocks of that moment. */
  latestClocks(): Promise<ChainClocks>
  /** Asks the node for something else. Throws at once while it hangs. */
  unlessHanging<Answer>(request: () => Promise<Answer>): Promise<Answer>
}

export interface HeadOptions {
  /** The clock of the chain is that of its pending block, not the host's. */
  isLocal: boolean
  /** The newest block whose rows are known; null: none. */
  findIndexed: () => ReadHead | null
  /** True for a head that is too far from the host's clock to be believed. */
  isStale: (clocks: Clocks) => boolean
  /** How long a write waits for the head; the ones after it are refused until a node has answered. Default 2,000. */
  timeoutMs?: number
}

/**
 * Creates the cache of a node's head. No reader waits for a node that does not answer, or believes one that lies: a head
 * below the indexed one, or more than 60 s from the host's clock, is not taken for reads.
 */
export function createHeadCache(client: PublicClient, options: HeadOptions): HeadCache {
  const { isLocal, findIndexed, isStale, timeoutMs = HEAD_TIMEOUT_MS } = options
  let newest: ReadHead | null = null
  let answeredAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<ChainHead> | null = null
  /** The last question of a reader was answered in time; of a write. */
  let isPrompt = true
  /** A write waited for its head in vain. A node that refuses does not hang: the next write asks it again. */
  let isHanging = false
  /** Distance of the chain's own clock from the host's, seconds. */
  let offset = 0n

  const hostTime = () => BigInt(Math.floor(Date.now() / 1000))
  const isPlausible = ({ number, timestamp }: ReadHead): boolean => {
    if (number < (findIndexed()?.number ?? 0n)) return false
    return isLocal || !isStale({ head: timestamp, current: hostTime() })
  }
  const ask = async (): Promise<ChainHead> => {
    askedAt = performance.now()
    try {
      const { number, hash, parentHash, timestamp } = await client.getBlock({ blockTag: 'latest' })
      const head = { number, hash, parentHash, timestamp }
      if (isPlausible(head)) newest = { number, timestamp }
      isPrompt = true
      isHanging = false
      answeredAt = askedAt
      return head
    } catch (error) {
      isPrompt = false
      if (performance.now() - askedAt < timeoutMs) isHanging = false
      throw error
    }
  }
  const question = (): Promise<ChainHead> => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
  /** Asks a node that gave no answer, at most once a second; no caller waits for it. */
  const askAgain = (): void => {
    if (performance.now() - askedAt >= FRESH_FOR_MS) question().catch(() => {})
  }
  const unlessHanging = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    if (!isHanging) return await request()
    askAgain()
    throw new ChainUnavailable('the node gave no answer to the last question for its head')
  }
  const latestHead = (): Promise<ChainHead> =>
    unlessHanging(() =>
      within(timeoutMs, question(), () => {
        isHanging = true
      }),
    )
  const knownHead = (): ReadHead | null => {
    const indexed = findIndexed()
    return newest === null || (indexed !== null && indexed.number > newest.number) ? indexed : newest
  }
  const head = async (): Promise<ReadHead> => {
    if (performance.now() - answeredAt >= FRESH_FOR_MS) {
      if (isPrompt) {
        await within(READER_WAIT_MS, question(), () => {
          isPrompt = false
        }).catch(() => {})
      } else askAgain()
    }
    return knownHead() ?? (await latestHead())
  }
  /** On a local chain the time of the pending block, as of this moment. */
  const readOffset = async (): Promise<bigint> => {
    const { timestamp } = await client.getBlock({ blockTag: 'pending' })
    offset = timestamp - hostTime()
    return timestamp
  }
  let offsetReadAt = Number.NEGATIVE_INFINITY
  const recentTime = async (): Promise<bigint> => {
    if (isLocal && isPrompt && performance.now() - offsetReadAt >= FRESH_FOR_MS) {
      const waitMs = offsetReadAt === Number.NEGATIVE_INFINITY ? HEAD_TIMEOUT_MS : READER_WAIT_MS
      offsetReadAt = performance.now()
      await within(waitMs, readOffset(), () => {}).catch(() => {})
    }
    return hostTime() + offset
  }
  return {
    head,
    knownHead,
    clocks: async () => {
      const [{ timestamp }, current] = await Promise.all([head(), recentTime()])
      return { head: timestamp, current }
    },
    latestHead,
    unlessHanging,
    latestClocks: async () => {
      const [latest, current] = await Promise.all([latestHead(), isLocal ? readOffset() : hostTime()])
      return { head: latest, clocks: { head: latest.timestamp, current } }
    },
  }
}

/** Waits for an answer so long. @throws ChainUnavailable when it takes longer, after `onLate` */
async function within<Answer>(milliseconds: number, answer: Promise<Answer>, onLate: () => void): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate()
      reject(new ChainUnavailable(`the node gave no answer within ${milliseconds} ms`))
    }, milliseconds)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
