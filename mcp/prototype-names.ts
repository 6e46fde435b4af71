const NAME = '__proto__'
/** The name with quotes, which no schema contains. */
const QUOTED = `"${NAME}"`

/**
 * Renames the members `__proto__` of a parsed message. The protocol's library drops them silently, so that no check of arguments
 * could report them.
 *
 * Example: in `{"limit": 5, "__proto__": 1}` the second member becomes `"__proto__"`, with its quotes.
 */
export function keepPrototypeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keepPrototypeNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name === NAME ? QUOTED : name, keepPrototypeNames(part)]),
  )
}

/** Returns the name of a member as the caller wrote it. */
export function shownName(name: string): string {
  return name === QUOTED ? NAME : name
}
