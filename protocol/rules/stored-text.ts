/**
 * A text that Postgres can hold: NUL and lone surrogates become U+FFFD. Strings of events are chosen by chain actors.
 */
export function toStoredText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
}
