import { type Hex, hexToBytes } from 'viem'
import { toStoredText } from './stored-text.ts'

/**
 * What a token answered as its name or symbol, as text. The token chooses the bytes: those that are not UTF-8 become
 * U+FFFD. Null: the token answered none.
 */
export function toTokenText(bytes: Hex, isAnswered: boolean): string | null {
  if (!isAnswered) return null
  return toStoredText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(hexToBytes(bytes)))
}
