/**
 * The input of a query as the query of a URL would carry it, so that both are parsed by the same schema: numbers and
 * booleans become text, absent and null ones are left out. What no URL could say stays as it is and is refused.
 */
export function toQueryInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.map(toText) : toText(value)]),
  )
}

function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}
