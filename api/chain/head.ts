import type { PublicClient } from 'viem'
import type { Clocks } from '../../protocol/windows.ts'
import { type ChainClocks, type ChainHead, ChainUnavailable, type ReadHead } from './chain.ts'

/** The most age of a head for reads while the node answers, milliseconds. */
const FRESH_FOR_MS = 1_000
/** The wait of a read for a newer head, milliseconds; later reads do not wait until the node has answered. */
const READER_WAIT_MS = 100
/** The wait of a write for the head, milliseconds; later writes are refused at once while the node hangs. */
const HEAD_TIMEOUT_MS = 2_000

/** A cache of the chain's head that requests it as rarely as its users allow. */
export interface HeadCache {
  /** Returns the newest known head of the node or rows; waits for the node only while none is known. */
  head(): Promise<ReadHead>
  /** Returns the newest known head, without a request; null: none. */
  knownHead(): ReadHead | null
  /** Returns the chain's time by its last reading, Unix seconds. */
  knownTime(): bigint
  /** Returns the clocks with that head. */
  clocks(): Promise<Clocks>
  /** Returns the node's present head. Throws at once while the node hangs. */
  latestHead(): Promise<ChainHead>
  /** Returns the node's present head with the clocks of that moment. */
  latestClocks(): Promise<ChainClocks>
  /** Sends another request to the node. Throws at once while it hangs. */
  unlessHanging<Answer>(request: () => Promise<Answer>): Promise<Answer>
}

export interface HeadOptions {
  /** True if the chain's clock is that of its pending block, not the host's. */
  isLocal: boolean
  /** Returns the newest block with known rows; null: none. */
  findIndexed: () => ReadHead | null
  /** Returns true for a head too far from the host's clock. */
  isStale: (clocks: Clocks) => boolean
  /** The wait of a write for the head; later writes are refused until a node has answered. Default 2,000. */
  timeoutMs?: number
}

/**
 * Creates the cache of a node's head. Readers neither wait for a silent node nor use a wrong head: one below the
 * indexed head, or more than 60 s from the host's clock.
 */
export function createHeadCache(client: PublicClient, options: HeadOptions): HeadCache {
  const { isLocal, findIndexed, isStale, timeoutMs = HEAD_TIMEOUT_MS } = options
  let newest: ReadHead | null = null
  let answeredAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<ChainHead> | null = null
  /** True if the last request of a reader, or of a write, was answered in time. */
  let isPrompt = true
  /** True after a write waited for its head in vain. A refusing node does not hang: the next write requests again. */
  let isHanging = false
  /** The offset of the chain's clock from the host's, seconds. */
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
  /** Requests again from a silent node, at most once a second, without a waiting caller. */
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
  /** Reads the time of a local chain's pending block. */
  const readOffset = async (): Promise<bigint> => {
    const { timestamp } = await client.getBlock({ blockTag: 'pending' })
    offset = timestamp - hostTime()
    return timestamp
  }
  let offsetReadAt = Number.NEGATIVE_INFINITY
  const knownTime = () => hostTime() + offset
  const recentTime = async (): Promise<bigint> => {
    if (isLocal && isPrompt && performance.now() - offsetReadAt >= FRESH_FOR_MS) {
      const waitMs = offsetReadAt === Number.NEGATIVE_INFINITY ? HEAD_TIMEOUT_MS : READER_WAIT_MS
      offsetReadAt = performance.now()
      await within(waitMs, readOffset(), () => {}).catch(() => {})
    }
    return knownTime()
  }
  return {
    head,
    knownHead,
    knownTime,
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

/** Waits for an answer. @throws ChainUnavailable after `milliseconds` and `onLate` */
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
