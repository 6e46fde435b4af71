import { LRUCache } from 'lru-cache'
import type { PublicReads } from './replicas/public-reads.ts'

/** The size of an entry besides its texts and key, bytes. */
const ENTRY_BYTES = 1_000

/**
 * A cache of texts from the rows of public reads, which drops the least recently used first. A lost database connection
 * ends all entries; readers compare the version of the rows.
 */
export interface RowCache<Value> {
  find(key: string): Value | undefined
  /** Replaces the value of a key. */
  put(key: string, value: Value, bytes: number): void
  /** Sets the size of a value, which was unknown when it was put; null ends it. Ignores a replaced value. */
  resize(key: string, value: Value, bytes: number | null): void
}

/**
 * Opens a cache of at most `maxBytes`. Example: `openRowCache<string>(publicReads, 1_000_000).put('/api/tasks', text, 2
 * * text.length)`.
 */
export function openRowCache<Value>(reads: Pick<PublicReads, 'onClose'>, maxBytes: number): RowCache<Value> {
  const entries = new LRUCache<string, { value: Value; bytes: number }>({
    maxSize: maxBytes,
    // Two bytes a character, because one beyond Latin-1 widens the whole text.
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
