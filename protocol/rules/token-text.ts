import { type Hex, hexToBytes } from 'viem'
import { toStoredText } from './stored-text.ts'

/** Maximum number of characters of a token's name or symbol. Lists and terminals have room for this number. */
const MOST_CHARACTERS = 32
/**
 * Unprintable characters: characters without a glyph, characters that move the cursor, and characters that change the
 * direction of the text.
 */
const unprintablePattern = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/**
 * Converts the name or symbol that a token contract returned to a printable text of limited length. U+FFFD replaces
 * invalid UTF-8 and unprintable characters. Returns null if the contract returned no text (`isAnswered` is false).
 * Example: `toTokenText('0x555344', true)` is `USD`.
 */
export function toTokenText(bytes: Hex, isAnswered: boolean): string | null {
  if (!isAnswered) return null
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(hexToBytes(bytes))
  const printableText = toStoredText(text).replace(unprintablePattern, '\ufffd')
  return [...printableText].slice(0, MOST_CHARACTERS).join('')
}
