import { isDeepStrictEqual } from 'node:util'
import type { Examples, OperationExamples } from '../../api/server/openapi/examples.ts'

/** Fields whose value differs between two runs of the same code. */
const VARYING_FIELDS = new Set(['referenceCode', 'number', 'block', 'plan', 'schemaVersion', 'latencyMs', 'after'])

/**
 * Parts of texts that differ between two runs of the same code: times, ids, hashes, tokens, Unix seconds. Addresses
 * (42 characters) are the same in every run and are compared.
 */
const VARYING_TEXTS = [
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi,
  /(0x)?[0-9a-f]{64,}/gi,
  /[\w-]{43,}/g,
  /\b[12]\d{9}\b/g,
  /whsec_[\w+/=]+/g,
  /127\.0\.0\.1:\d{5}/g,
]

/**
 * Returns the examples to write. If a recorded example differs from the earlier one only in ids, hashes, signatures and
 * times, the earlier example is kept. A run therefore changes only the examples of changed operations.
 */
export function keepValues(recordedExamples: Examples, earlierExamples: Examples): Examples {
  const entries = Object.entries(recordedExamples).map(([id, examples]) => {
    const before = earlierExamples[id]
    return [id, before !== undefined && isAlike(before, examples) ? before : examples]
  })
  return Object.fromEntries(entries) as Examples
}

function isAlike(one: OperationExamples, other: OperationExamples): boolean {
  return isDeepStrictEqual(mask(one), mask(other))
}

/** Returns the JSON of a value. A placeholder replaces each part that differs between two runs of the same code. */
function mask(value: unknown): unknown {
  if (typeof value === 'string')
    return VARYING_TEXTS.reduce((text, pattern) => text.replace(pattern, '<varies>'), value)
  if (typeof value === 'number') return value >= 1e9 ? '<varies>' : value
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, field]) => [name, VARYING_FIELDS.has(name) ? null : mask(field)])
  return Object.fromEntries(entries)
}
