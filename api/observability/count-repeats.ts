import { LRUCache } from 'lru-cache'

/** An equal line is written once in so long, milliseconds. */
const EVERY_MS = 60_000
/** Different lines that are remembered. */
const MOST_KINDS = 1_000

/**
 * Says of each line whether it is due. Equal lines within a minute are counted, and the next one that is due tells how many
 * were left out: a node that is down would fill the log with the same sentence.
 *
 * Example: of 120 equal lines in a minute one is due, with 0; the 121st is due with 119.
 */
export function createRepeatCount(): (kind: string) => { leftOut: number } | null {
  const kinds = new LRUCache<string, { writtenAt: number; leftOut: number }>({ max: MOST_KINDS })
  return (kind) => {
    const now = performance.now()
    const known = kinds.get(kind)
    if (known !== undefined && now - known.writtenAt < EVERY_MS) {
      known.leftOut += 1
      return null
    }
    kinds.set(kind, { writtenAt: now, leftOut: 0 })
    return { leftOut: known?.leftOut ?? 0 }
  }
}

/** Names the kind of a warning: its sentence and facts, but not the request that met the fault. */
export function kindOfLine(facts: unknown, message: string): string {
  if (typeof facts !== 'object' || facts === null) return message
  const told = Object.entries(facts).flatMap(([name, value]) => {
    if (name === 'requestId') return []
    return `${name}=${value instanceof Error ? `${value.name} ${value.message}` : String(value)}`
  })
  return [message, ...told].join('\n')
}
