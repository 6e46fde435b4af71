import { createNotifier, type Notifier } from '../concurrency/notifier.ts'
import type { Database } from '../db/client.ts'
import { findIndexedBlock } from '../read-model/indexed-head.queries.ts'

/** The channel that the indexer notifies in the transaction that commits a block's rows; the payload is its number. */
const CHANNEL = 'market_head'
/** Poll interval while a request waits, milliseconds: a notification can be lost with its connection. */
const POLL_INTERVAL_MS = 500

/** How far the read model is: a read right after a write's answer must see the write. */
export interface IndexedBlocks {
  /** Listens for blocks. Without it waiting requests poll. */
  start(): Promise<void>
  /** Ends every wait, and listens no more: the process is about to end. */
  stop(): Promise<void>
  /** Whether the indexer passed the block before `signal` came. @throws when the database is gone */
  wait(block: bigint, signal: AbortSignal): Promise<boolean>
}

/**
 * @param sql the primary, without a pooler in between: LISTEN belongs to one session, and standbys have none
 * @param pollIntervalMs milliseconds between two reads of a request that no notification reaches
 */
export function createIndexedBlocks(sql: Database, pollIntervalMs: number = POLL_INTERVAL_MS): IndexedBlocks {
  const waiting = new Map<Notifier, bigint>()
  const stopping = new AbortController()
  const readBlock = shareReads(() => findIndexedBlock(sql))
  let unlisten: (() => Promise<void>) | null = null

  /** Any login may notify: the payload only tells whose reading is in vain. */
  const notify = (payload: string): void => {
    const indexed = Number(payload)
    for (const [notifier, block] of waiting) if (!(indexed < block)) notifier.notify()
  }
  /** After a new connection: what was told meanwhile is lost. */
  const notifyAll = (): void => {
    for (const notifier of waiting.keys()) notifier.notify()
  }
  return {
    start: async () => {
      const listening = await sql.listen(CHANNEL, notify, notifyAll)
      unlisten = listening.unlisten
    },
    stop: async () => {
      stopping.abort()
      await unlisten?.()
    },
    wait: async (block, signal) => {
      const ended = AbortSignal.any([signal, stopping.signal])
      const notifier = createNotifier()
      waiting.set(notifier, block)
      let hasFailed = false
      try {
        for (;;) {
          // A connection that broke is no reason to answer too early; a database that is gone is.
          const reading: bigint | null = await readBlock().catch(hasFailed ? rethrow : toNull)
          if (reading !== null && reading >= block) return true
          if (ended.aborted) return false
          hasFailed = reading === null
          await notifier.wait(pollIntervalMs, ended)
        }
      } finally {
        waiting.delete(notifier)
      }
    },
  }
}

function toNull(): null {
  return null
}

function rethrow(error: unknown): never {
  throw error
}

/** All who ask while a reading runs share the next one: the one that runs may be older than their notification. */
function shareReads(read: () => Promise<bigint>): () => Promise<bigint> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<bigint> | null = null
  const begin = (): Promise<bigint> => {
    next = null
    const begun = read()
    running = begun
    return begun
  }
  return () => {
    next ??= running.then(begin, begin)
    return next
  }
}
