import { createNotifier, type Notifier } from '../concurrency/notifier.ts'
import type { Database } from '../db/client.ts'
import { findIndexedBlock } from '../read-model/indexed-head.queries.ts'

/** The database channel on which the indexer announces each indexed block. The payload is the block number. */
const CHANNEL = 'market_head'
/**
 * The pause between two polls of a waiting request, in milliseconds. Requests poll because notifications are lost while
 * the database connection is broken.
 */
const POLL_INTERVAL_MS = 500

/**
 * The progress of the read model. A write is answered once the read model contains the write. The caller's next read
 * then shows the write.
 */
export interface IndexedBlocks {
  /** Starts listening for the indexer's notifications of blocks. Until then, waiting requests only poll. */
  start(): Promise<void>
  /** Ends every wait and stops listening. Called before the process ends. */
  stop(): Promise<void>
  /**
   * Returns true if the block was indexed before `signal` aborted, else false. @throws when the database is unavailable
   */
  wait(block: bigint, signal: AbortSignal): Promise<boolean>
}

/**
 * Creates the object with which requests wait for indexed blocks.
 * @param sql a direct connection to the primary database, because LISTEN needs one session
 * @param pollIntervalMs the time in milliseconds after which a waiting request reads the indexed block again, if no
 * notification arrives
 */
export function createIndexedBlocks(sql: Database, pollIntervalMs: number = POLL_INTERVAL_MS): IndexedBlocks {
  const waiters = new Map<Notifier, bigint>()
  const stopping = new AbortController()
  const readBlock = shareReads(() => findIndexedBlock(sql))
  let unlisten: (() => Promise<void>) | null = null

  /** Wakes the requests that wait for the block in `payload` or for an earlier block. */
  const notify = (payload: string): void => {
    // Any database login may notify, so the woken request reads the indexed block itself.
    const blockNumber = Number(payload)
    for (const [notifier, block] of waiters) if (!(blockNumber < block)) notifier.notify()
  }
  /**
   * Wakes all waiting requests after a new database connection, because notifications before the connection were lost.
   */
  const notifyAll = (): void => {
    for (const notifier of waiters.keys()) notifier.notify()
  }
  return {
    start: async () => {
      const subscription = await sql.listen(CHANNEL, notify, notifyAll)
      unlisten = subscription.unlisten
    },
    stop: async () => {
      stopping.abort()
      await unlisten?.()
    },
    wait: async (block, signal) => {
      const endSignal = AbortSignal.any([signal, stopping.signal])
      const notifier = createNotifier()
      waiters.set(notifier, block)
      let hasFailed = false
      try {
        for (;;) {
          // A broken connection must not answer too early; an unavailable database ends the wait.
          const reading: bigint | null = await readBlock().catch(hasFailed ? rethrow : toNull)
          if (reading !== null && reading >= block) return true
          if (endSignal.aborted) return false
          hasFailed = reading === null
          await notifier.wait(pollIntervalMs, endSignal)
        }
      } finally {
        waiters.delete(notifier)
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

/**
 * Returns a function that shares one read among concurrent calls. A call never shares a read that is already running,
 * because that read may be too old. Instead, all calls during a running read share the next read.
 */
function shareReads(readBlock: () => Promise<bigint>): () => Promise<bigint> {
  // A read in progress may be older than the caller's notification.
  let lastRead: Promise<unknown> = Promise.resolve()
  let next: Promise<bigint> | null = null
  const begin = (): Promise<bigint> => {
    next = null
    const reading = readBlock()
    lastRead = reading
    return reading
  }
  return () => {
    next ??= lastRead.then(begin, begin)
    return next
  }
}
