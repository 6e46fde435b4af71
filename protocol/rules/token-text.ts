import { type Hex, hexToBytes } from 'viem'
import { toStoredText } from './stored-text.ts'

/** Characters of a name or symbol that are kept: lists and terminals have room for these. */
const MOST_CHARACTERS = 32
/**
 * Characters that do not print, move the cursor, or change the direction of the text: controls, marks of direction, line ends.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/**
 * Converts a token's name or symbol to a printable text. The token chooses the bytes: those that are not UTF-8, and characters
 * that do not print, become U+FFFD, and a longer text is cut. Null: the token returned none.
 * Example: `toTokenText('0x555344', true)` is `USD`.
 */
export function toTokenText(bytes: Hex, isAnswered: boolean): string | null {
  if (!isAnswered) return null
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(hexToBytes(bytes))
  const printable = toStoredText(text).replace(unprintable, '\ufffd')
  return [...printable].slice(0, MOST_CHARACTERS).join('')
}
