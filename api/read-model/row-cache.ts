import { LRUCache } from 'lru-cache'
import type { PublicReads } from './replicas/public-reads.ts'

/** What an entry takes besides its texts and its key, bytes. */
const ENTRY_BYTES = 1_000

/**
 * Texts made of the rows of public reads, the least recently used ones dropped first. An entry ends with any connection to a
 * database; its reader compares the version of the rows that it was made of.
 */
export interface RowCache<Value> {
  find(key: string): Value | undefined
  /** Keeps a value in place of the one before. */
  put(key: string, value: Value, characters: number): void
  /** Gives a value the size of its texts, which were not there when it was put; null ends it. Not of a value that was replaced. */
  resize(key: string, value: Value, characters: number | null): void
}

/**
 * Opens a cache of at most so many bytes.
 * Example: `openRowCache<string>(publicReads, 1_000_000).put('/api/tasks', text, text.length)`.
 */
export function openRowCache<Value>(reads: Pick<PublicReads, 'onClose'>, maxBytes: number): RowCache<Value> {
  const entries = new LRUCache<string, { value: Value; characters: number }>({
    maxSize: maxBytes,
    // Two bytes a character: a text with one beyond Latin-1 has that throughout.
    sizeCalculation: ({ characters }, key) => 2 * (characters + key.length) + ENTRY_BYTES,
  })
  reads.onClose(() => entries.clear())
  const put = (key: string, value: Value, characters: number) => {
    entries.set(key, { value, characters })
  }
  return {
    find: (key) => entries.get(key)?.value,
    put,
    resize: (key, value, characters) => {
      if (entries.peek(key)?.value !== value) return
      if (characters === null) entries.delete(key)
      else put(key, value, characters)
    },
  }
}
