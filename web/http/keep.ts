/**
 * Creates a function that caches the result of `read` for the given time. Concurrent callers share one read. After a
 * failed read, the function returns the previous result, or throws if there is no previous result. Example:
 * `keep(readFee, 60_000)`.
 */
export function keep<Value>(read: () => Promise<Value>, milliseconds: number): () => Promise<Value> {
  let currentEntry: { value: Promise<Value>; until: number } | null = null
  return () => {
    const before = currentEntry
    if (before !== null && performance.now() < before.until) return before.value
    const value = read().catch((error: unknown) => {
      if (before === null) throw error
      return before.value
    })
    const entry = { value, until: performance.now() + milliseconds }
    currentEntry = entry
    value.catch(() => {
      if (currentEntry === entry) currentEntry = null
    })
    return value
  }
}
