import { LRUCache } from 'lru-cache'

/** The milliseconds in which equal log lines are written only once. */
const EVERY_MS = 60_000
/** The largest number of different log lines that are remembered. */
const MOST_KINDS = 1_000

/**
 * Creates a filter of repeated log lines. If equal lines occur within a minute, only the first one is written. The next
 * equal line that is written reports how many lines were omitted. Example: 120 equal lines occur in a minute. The first
 * line returns `{ leftOut: 0 }`, and the others return null. A minute later, the 121st line returns `{ leftOut: 119 }`.
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

/** Returns a string that is equal for repetitions of a warning: the message and the fields, except the request's id. */
export function kindOfLine(facts: unknown, message: string): string {
  if (typeof facts !== 'object' || facts === null) return message
  const shownFacts = Object.entries(facts).flatMap(([name, value]) => {
    if (name === 'requestId') return []
    return `${name}=${value instanceof Error ? `${value.name} ${value.message}` : String(value)}`
  })
  return [message, ...shownFacts].join('\n')
}
