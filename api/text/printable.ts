import { hiddenCharacters } from './hidden-characters.ts'

const REPLACEMENT = '\uFFFD'

/**
 * Returns an untrusted text, such as a revert reason, as one line that is safe to print. Hidden characters, line feeds,
 * tabs and lone surrogates become U+FFFD. Example: `toPrintable('abc', 2)` returns `'ab…'`.
 * @param maxCharacters the length in UTF-16 units; a longer text is cut and ends with an ellipsis
 */
export function toPrintable(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return toOneLine(text)
  // A cut through a surrogate pair leaves half of it, which is replaced as well.
  return `${toOneLine(text.slice(0, maxCharacters))}…`
}

function toOneLine(text: string): string {
  return text
    .replace(/\p{Cs}/gu, REPLACEMENT)
    .replace(hiddenCharacters, REPLACEMENT)
    .replace(/[\n\t]/g, REPLACEMENT)
}
