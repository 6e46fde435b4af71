/**
 * Returns a text in a form that Postgres can store: NUL and lone surrogates are replaced by U+FFFD. Direct callers of a
 * contract can put any string into an event.
 * Example: `toStoredText('a\0b')` is `a\ufffdb`.
 */
export function toStoredText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
}
