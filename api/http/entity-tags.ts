import { hash } from 'node:crypto'

/** The strong entity tag of a text: another text, another tag. Example: `"qUqP5cyxm6YcTAhz05Hph5gvu9M"`. */
export function tagOf(text: string | Uint8Array): string {
  return `"${hash('sha1', text, 'base64url')}"`
}

/**
 * Says whether an `If-None-Match` names this tag (RFC 9110, "If-None-Match"): `*` names every answer, and a list is compared
 * weakly, as a proxy that compresses may have weakened the tag on the way. Only of an answer that would be a 200.
 */
export function isKnownTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false
  if (given.trim() === '*') return true
  // A tag may contain commas.
  return [...given.matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g)].some(([opaque]) => opaque === tag)
}
