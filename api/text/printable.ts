import { hiddenCharacters } from './hidden-characters.ts'

const REPLACEMENT = '\uFFFD'

/**
 * A text that an outsider chose (a contract's revert, a hook's reason) as one well-formed line that is safe to quote: a
 * client that parses the answer and prints its sentence prints nothing hidden. Hidden characters, line feeds, tabs and
 * lone surrogates become U+FFFD. Where the value must survive, `escapeHidden` escapes the same characters instead.
 * `maxCharacters`: longer texts end in an ellipsis.
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
