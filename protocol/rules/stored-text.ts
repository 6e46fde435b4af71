/**
 * Returns a text that Postgres can store: NUL and lone surrogates become U+FFFD. Chain actors choose the strings of events.
 * Example: `toStoredText('a\0b')` is `a\ufffdb`.
 */
export function toStoredText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
}
