import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/client.ts'
import { findIndexedBlock } from '../read-model/indexed-head.queries.ts'

/** Poll interval of the indexer's progress while a request waits for it, milliseconds. */
const ASK_EVERY_MS = 15

/** How far the read model is: a read right after a write's answer must see the write. */
export interface IndexedBlocks {
  /** Whether the indexer passed the block before `signal` came. */
  wait(block: bigint, signal: AbortSignal): Promise<boolean>
  /** Ends every wait: the process is about to. */
  stop(): void
}

/** All who wait at the same time share one question. */
export function createIndexedBlocks(sql: Database): IndexedBlocks {
  const stopping = new AbortController()
  let asking: Promise<bigint> | null = null
  const ask = (): Promise<bigint> => {
    asking ??= findIndexedBlock(sql).finally(() => {
      asking = null
    })
    return asking
  }
  return {
    wait: async (block, signal) => {
      while ((await ask()) < block) {
        if (signal.aborted || stopping.signal.aborted) return false
        await pause(ASK_EVERY_MS)
      }
      return true
    },
    stop: () => stopping.abort(),
  }
}
