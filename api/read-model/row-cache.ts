import { LRUCache } from 'lru-cache'
import type { PublicReads } from './replicas/public-reads.ts'

/** The estimated size in bytes of a cache entry, excluding its key and value. */
const ENTRY_BYTES = 1_000

/**
 * A cache of values that were built from public reads. A full cache removes the least recently used entry. The end of a
 * database connection removes all entries. The users of the cache check that a value is current.
 */
export interface RowCache<Value> {
  find(key: string): Value | undefined
  /** Stores the value of a key, replacing an earlier value. `bytes` is the size of the value in bytes. */
  put(key: string, value: Value, bytes: number): void
  /**
   * Sets the size of a stored value, in bytes; null removes the entry. Does nothing if the key has another value now.
   */
  resize(key: string, value: Value, bytes: number | null): void
}

/**
 * Opens a cache of at most `maxBytes` bytes.
 * @example openRowCache<string>(publicReads, 1_000_000).put('/api/tasks', text, 2 * text.length)
 */
export function openRowCache<Value>(reads: Pick<PublicReads, 'onClose'>, maxBytes: number): RowCache<Value> {
  const entries = new LRUCache<string, { value: Value; bytes: number }>({
    maxSize: maxBytes,
    // A key counts two bytes per character: one character beyond Latin-1 makes the whole text use two each.
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
  })
  reads.onClose(() => entries.clear())
  const put = (key: string, value: Value, bytes: number) => {
    entries.set(key, { value, bytes })
  }
  return {
    find: (key) => entries.get(key)?.value,
    put,
    resize: (key, value, bytes) => {
      if (entries.peek(key)?.value !== value) return
      if (bytes === null) entries.delete(key)
      else put(key, value, bytes)
    },
  }
}
