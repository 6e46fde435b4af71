import type { PublicClient } from 'viem'
import type { Clocks } from '../../protocol/windows.ts'
import { type ChainClocks, type ChainHead, ChainUnavailable, type ReadHead } from './chain.ts'

/**
 * The age in milliseconds up to which reads use the cached latest block without a new request. This limit applies while
 * the node answers.
 */
const FRESH_FOR_MS = 1_000
/**
 * The milliseconds that a read waits for a newer block. If the node does not answer in time, later reads return the
 * known block at once, until the node answers.
 */
const READER_WAIT_MS = 100
/**
 * The milliseconds that a write waits for the latest block. If the node does not answer in time, later writes are
 * refused at once, until the node answers.
 */
const HEAD_TIMEOUT_MS = 2_000

/** A cache of the latest block. It sends few requests to the node. */
export interface HeadCache {
  /**
   * Returns the newest block that this process knows from a node or from the indexer. If the node's last answer is old,
   * waits a short time for a newer block. If no block is known, waits until the node answers.
   * @throws ChainUnavailable if no block is known and the node does not answer in time
   */
  head(): Promise<ReadHead>
  /**
   * Returns the newest block that this process knows from a node or from the indexer, without a request. Null if no
   * block is known.
   */
  knownHead(): ReadHead | null
  /**
   * Returns the current time of the chain in Unix seconds, without a request. The time is the host's time plus the last
   * measured difference between the chain's time and the host's time.
   */
  knownTime(): bigint
  /** Returns the time of the block of `head()`, and the current time. */
  clocks(): Promise<Clocks>
  /** Returns the node's latest block. Throws at once while the node does not answer. */
  latestHead(): Promise<ChainHead>
  /** Returns the node's latest block, and the times of the chain and the host when the block was read. */
  latestClocks(): Promise<ChainClocks>
  /**
   * Sends a request to the node, for example for the state of a contract. If the node gave no answer to the last write
   * that asked for the latest block, throws at once and does not send the request.
   */
  unlessHanging<Answer>(request: () => Promise<Answer>): Promise<Answer>
}

export interface HeadOptions {
  /** True for a local development chain. The current time of a local chain is the time of the pending block. */
  isLocal: boolean
  /** Returns the newest indexed block; null if no block is indexed. */
  findIndexed: () => ReadHead | null
  /** Returns true if a block's timestamp is too far from the host's clock. */
  isStale: (clocks: Clocks) => boolean
  /**
   * The milliseconds that a write waits for the latest block. If the node does not answer in time, later writes are
   * refused at once, until the node answers. Default: 2,000.
   */
  timeoutMs?: number
}

/**
 * Creates the cache of a node's latest block. Reads ignore an implausible block: a block below the newest indexed
 * block, or with a timestamp more than 60 seconds from the host's clock.
 */
export function createHeadCache(client: PublicClient, options: HeadOptions): HeadCache {
  const { isLocal, findIndexed, isStale, timeoutMs = HEAD_TIMEOUT_MS } = options
  let newest: ReadHead | null = null
  let answeredAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let pendingHead: Promise<ChainHead> | null = null
  /**
   * True if the last request for the latest block was answered in time. If false, reads no longer wait for the node.
   */
  let isPrompt = true
  /**
   * True after a write has waited in vain for the latest block. If true, further writes are refused at once. An error
   * of the node counts as an answer and resets the flag.
   */
  let isHanging = false
  /** The chain's time minus the host's time, in seconds. It is measured on a local chain only, and otherwise 0. */
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
    pendingHead ??= ask().finally(() => {
      pendingHead = null
    })
    return pendingHead
  }
  /** Sends a request to a node that did not answer, at most once a second. No caller waits for the answer. */
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
    const indexedHead = findIndexed()
    return newest === null || (indexedHead !== null && indexedHead.number > newest.number) ? indexedHead : newest
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
  /**
   * Reads the timestamp of the pending block, and stores its difference from the host's time. On a local chain, the
   * timestamp of the pending block is the current time.
   */
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

/**
 * Waits for an answer for at most `milliseconds`.
 * @throws ChainUnavailable after `milliseconds`; `onLate` is called first
 */
async function within<Answer>(milliseconds: number, answer: Promise<Answer>, onLate: () => void): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const timeLimit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate()
      reject(new ChainUnavailable(`the node gave no answer within ${milliseconds} ms`))
    }, milliseconds)
  })
  try {
    return await Promise.race([answer, timeLimit])
  } finally {
    clearTimeout(timer)
  }
}
