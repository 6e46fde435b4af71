/**
 * Returns a text that Postgres can store. U+FFFD replaces NUL and lone surrogates. Direct callers of a contract can put
 * any string into an event.
 * Example: `toStoredText('a\0b')` is `a\ufffdb`.
 */
export function toStoredText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
}
