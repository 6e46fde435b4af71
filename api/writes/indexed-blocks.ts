import { createNotifier, type Notifier } from '../concurrency/notifier.ts'
import type { Database } from '../db/client.ts'
import { findIndexedBlock } from '../read-model/indexed-head.queries.ts'

/** The channel that the indexer notifies in the transaction that commits a block's rows; the payload is its number. */
const CHANNEL = 'market_head'
/** The poll interval of a waiting request, milliseconds: a notification can be lost with its connection. */
const POLL_INTERVAL_MS = 500

/** The progress of the read model: a read right after a write's answer must include the write. */
export interface IndexedBlocks {
  /** Listens for blocks; without it waiting requests poll. */
  start(): Promise<void>
  /** Ends every wait and stops listening, because the process is about to end. */
  stop(): Promise<void>
  /** Returns true if the indexer passed the block before `signal` aborted. @throws when the database is unavailable */
  wait(block: bigint, signal: AbortSignal): Promise<boolean>
}

/**
 * Creates the waiter. @param sql the primary without a pooler: LISTEN belongs to one session, and standbys lack it
 * @param pollIntervalMs milliseconds between two reads of a request without a notification
 */
export function createIndexedBlocks(sql: Database, pollIntervalMs: number = POLL_INTERVAL_MS): IndexedBlocks {
  const waiting = new Map<Notifier, bigint>()
  const stopping = new AbortController()
  const readBlock = shareReads(() => findIndexedBlock(sql))
  let unlisten: (() => Promise<void>) | null = null

  /** Any login may notify, so the payload only selects the waiters whose read is useful. */
  const notify = (payload: string): void => {
    const indexed = Number(payload)
    for (const [notifier, block] of waiting) if (!(indexed < block)) notifier.notify()
  }
  /** Notifications before a new connection are lost. */
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
          // A broken connection must not answer too early; an unavailable database ends the wait.
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

/**
 * Shares reads: calls during a read share the next one, because the running one may be older than their notification.
 */
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
