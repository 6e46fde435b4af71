import { hash } from 'node:crypto'

/** Returns the strong entity tag of a text. Example: `tagOf('hello')` returns `'"qvTGHdzF6KLavt4PO0gs2a6pQ00"'`. */
export function tagOf(text: string | Uint8Array): string {
  return `"${hash('sha1', text, 'base64url')}"`
}

/**
 * Returns true if an `If-None-Match` header contains the tag. `*` matches every tag. Call the function only for an
 * answer with status 200.
 */
export function isKnownTag(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false
  if (condition.trim() === '*') return true
  // Splitting at commas would fail, because a tag may contain them.
  // Weak and strong tags are equal here, because a compressing proxy may have weakened a tag.
  return [...condition.matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g)].some(([opaque]) => opaque === tag)
}
