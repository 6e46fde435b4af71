/**
 * The characters that a reader cannot see, or that change the display of text: control characters, direction marks and
 * letters without a shape. Such letters can carry hidden text for machines. Line feed, tab and joiners are allowed,
 * because words and emoji need them.
 */
const INVISIBLE =
  /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|\u034F|[\u{E0100}-\u{E01EF}]/u

/**
 * Returns untrusted text in visible form, of at most `max` code points. Each invisible character becomes an escape
 * (`\u202e`, `\u{e0041}`). Each CRLF becomes a line feed. Escapes are never cut. Example: `toVisibleText('a\u202eb',
 * 10)` returns `'a\\u202eb'`.
 */
export function toVisibleText(text: string, max: number): string {
  let visibleText = ''
  let length = 0
  for (const character of text.replaceAll('\r\n', '\n')) {
    const visibleCharacter = INVISIBLE.test(character) ? escapeOf(character) : character
    // An escape is ASCII; anything else is one code point.
    length += visibleCharacter === character ? 1 : visibleCharacter.length
    if (length > max) break
    visibleText += visibleCharacter
  }
  return visibleText
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}
