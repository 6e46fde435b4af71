import { type Hex, keccak256, stringToBytes } from 'viem'

/** A stored document: its JSON text, and the keccak256 hash of the text's UTF-8 bytes. */
export interface HashedDocument {
  text: string
  hash: Hex
}

/** Any value that JSON can represent. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/**
 * Returns the canonical JSON of a document and its hash.
 * Example: `hashDocument({ b: [1, 'x'], a: null })` has the text `{"a":null,"b":[1,"x"]}` and the hash `0xc8b1..`.
 * @throws for the values for which `toCanonicalJson` throws
 */
export function hashDocument(document: Json): HashedDocument {
  const text = toCanonicalJson(document)
  return { text, hash: keccak256(stringToBytes(text)) }
}

/**
 * Serializes a value to canonical JSON (RFC 8785). Object members are sorted by the UTF-16 code units of their names.
 * The result has no whitespace.
 * Example: `{ b: [1, 'x'], a: null }` is `{"a":null,"b":[1,"x"]}`.
 * @throws for a lone surrogate, NaN or an infinity; JSON cannot represent these values
 */
export function toCanonicalJson(value: Json): string {
  if (typeof value === 'string' && /\p{Cs}/u.test(value)) throw new Error('the text has a lone surrogate')
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`JSON has no number ${value}`)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${toCanonicalJson(name)}:${toCanonicalJson(member)}`).join(',')}}`
}

/** Returns true for a list, and narrows the type also for readonly lists, unlike `Array.isArray`. */
function isList(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
