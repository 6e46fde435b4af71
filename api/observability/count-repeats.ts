import { LRUCache } from 'lru-cache'

/** The interval in which an equal line is written once, milliseconds. */
const EVERY_MS = 60_000
/** The most different lines in memory. */
const MOST_KINDS = 1_000

/**
 * Creates a filter of repeated lines. Of equal lines within a minute one is written; the next one reports how many were
 * omitted. So a node that is down does not fill the log with one sentence.
 *
 * Example: of 120 equal lines in a minute the first returns `{ leftOut: 0 }` and the others null; the 121st, a minute
 * later, returns `{ leftOut: 119 }`.
 */
export function createRepeatCount(): (kind: string) => { leftOut: number } | null {
  const kinds = new LRUCache<string, { writtenAt: number; leftOut: number }>({ max: MOST_KINDS })
  return (kind) => {
    const now = performance.now()
    const earlierLine = kinds.get(kind)
    if (earlierLine !== undefined && now - earlierLine.writtenAt < EVERY_MS) {
      earlierLine.leftOut += 1
      return null
    }
    kinds.set(kind, { writtenAt: now, leftOut: 0 })
    return { leftOut: earlierLine?.leftOut ?? 0 }
  }
}

/** Returns the kind of a warning: its sentence and facts, without the request's id. */
export function kindOfLine(facts: unknown, message: string): string {
  if (typeof facts !== 'object' || facts === null) return message
  const shownFacts = Object.entries(facts).flatMap(([name, value]) => {
    if (name === 'requestId') return []
    return `${name}=${value instanceof Error ? `${value.name} ${value.message}` : String(value)}`
  })
  return [message, ...shownFacts].join('\n')
}
