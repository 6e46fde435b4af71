import { hiddenCharacters } from './hidden-characters.ts'

const REPLACEMENT = '\uFFFD'

/**
 * Returns an untrusted text (a contract's revert, a hook's reason) as one well-formed line that is safe to quote and
 * print. Hidden characters, line feeds, tabs and lone surrogates become U+FFFD. Where the value must survive, use
 * `escapeHidden`. `maxCharacters`: longer texts end in an ellipsis. Example: `toPrintable('abc', 2)` returns `'ab…'`.
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
