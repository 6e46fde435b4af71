const NAME = '__proto__'
/** The name `__proto__` in quotes. No tool has an argument with the quoted name. */
const QUOTED = `"${NAME}"`

/**
 * Renames members with the name `__proto__` in a parsed message. Without the new name, the MCP library would drop such
 * a member silently, and the check of the arguments could not report the member.
 *
 * Example: in `{"limit": 5, "__proto__": 1}` the name of the second member gets quotes: `"__proto__"`.
 */
export function keepPrototypeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keepPrototypeNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name === NAME ? QUOTED : name, keepPrototypeNames(part)]),
  )
}

/** Returns the original name of a member that `keepPrototypeNames` may have renamed. */
export function shownName(name: string): string {
  return name === QUOTED ? NAME : name
}
