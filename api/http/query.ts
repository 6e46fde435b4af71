import { z } from 'zod'

/**
 * Returns the query of a URL as input for zod. A single parameter is a string, and a repeated parameter is a list.
 * `name[]` means `name`. Example: `readQuery('http://h/?a=1&b[]=2&b=3')` returns `{ a: '1', b: ['2', '3'] }`.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [rawName, value] of new URL(url).searchParams) {
    const name = rawName.endsWith('[]') ? rawName.slice(0, -2) : rawName
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (Array.isArray(before)) before.push(value)
    else query[name] = [before, value]
  }
  return query
}

/** Returns a schema that converts `true` or `false` to a boolean. An absent parameter becomes false. */
export function queryFlag() {
  return z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .default(false)
    .meta({ override: { type: 'boolean', enum: undefined, default: false } })
}

/** Returns a schema that converts plain decimal digits to a whole number from `min` to `max`. */
export function queryInteger(min: number, max: number) {
  const range = `must be a whole number from ${min} to ${max}`
  return z
    .string(range)
    .regex(/^[0-9]{1,16}$/, { error: range, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: range })
    .meta({ override: { type: 'integer', minimum: min, maximum: max, pattern: undefined } })
}

/** Returns a schema for an optional whole number from `min` to `max`. An absent parameter becomes `fallback`. */
export function queryIntegerOr(fallback: number, { min, max }: { min: number; max: number }) {
  return queryInteger(min, max)
    .default(fallback)
    .meta({ override: { default: fallback } })
}
