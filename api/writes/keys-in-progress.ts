/** The idempotency keys that requests of this process are working on. */
export interface KeysInProgress {
  /** Takes a key; null when another request has it. The returned function gives it back. */
  hold(key: string): (() => void) | null
}

/**
 * Spares losers of a race the work: while one request works on a key, another is told so at once. It decides nothing:
 * between processes, and in the end within one too, the database lets exactly one bind (see `bind.ts`).
 */
export function createKeysInProgress(): KeysInProgress {
  const held = new Set<string>()
  return {
    hold: (key) => {
      if (held.has(key)) return null
      held.add(key)
      return () => held.delete(key)
    },
  }
}
