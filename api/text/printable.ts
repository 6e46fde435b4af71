/** Control characters, format characters (bidi, zero width), line and paragraph separators, lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

const REPLACEMENT = '\uFFFD'

/**
 * A text that an outsider chose (a contract's revert, a title, a header) as one line that is safe in an answer, a log
 * and a terminal: every character that moves the cursor, changes colours or reorders its neighbours becomes U+FFFD.
 * `maxCharacters`: longer texts end in an ellipsis.
 */
export function toPrintable(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text.replace(unprintable, REPLACEMENT)
  // A cut through a surrogate pair leaves half of it, which is replaced as well.
  return `${text.slice(0, maxCharacters).replace(unprintable, REPLACEMENT)}…`
}
