/** Keeps an answer for a time, for all visitors; those who come together wait for one. A failure keeps the answer before. */
export function keep<Value>(read: () => Promise<Value>, milliseconds: number): () => Promise<Value> {
  let current: { value: Promise<Value>; until: number } | null = null
  return () => {
    const before = current
    if (before !== null && performance.now() < before.until) return before.value
    const value = read().catch((error: unknown) => {
      if (before === null) throw error
      return before.value
    })
    const entry = { value, until: performance.now() + milliseconds }
    current = entry
    value.catch(() => {
      if (current === entry) current = null
    })
    return value
  }
}
