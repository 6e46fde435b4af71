import { LRUCache } from 'lru-cache'

/** Bounds how often the log names the same refusal: a client can cause many in a second. */
export interface RefusalLines {
  /** How many refusals of this text a line names now, this one included; null: a line came less than a minute ago. */
  due(refusal: string): number | null
}

const INTERVAL_MS = 60_000
/** Texts that are remembered. */
const MAX_TEXTS = 100

/** @param now milliseconds, of a clock that never goes back */
export function createRefusalLines(now: () => number = () => performance.now()): RefusalLines {
  const written = new LRUCache<string, { at: number; since: number }>({ max: MAX_TEXTS })
  return {
    due: (refusal) => {
      const last = written.get(refusal)
      const time = now()
      if (last !== undefined && time - last.at < INTERVAL_MS) {
        last.since += 1
        return null
      }
      written.set(refusal, { at: time, since: 0 })
      return 1 + (last?.since ?? 0)
    },
  }
}
