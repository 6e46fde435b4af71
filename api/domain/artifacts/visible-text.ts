/**
 * The characters that a reader does not see, or that change how text is displayed: control characters (a terminal
 * executes them), marks that change the writing direction, and letters without a shape, which can carry hidden text for
 * machines. Line feed, tab and joiners are not matched, because words and emoji need them.
 */
const INVISIBLE =
  /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|\u034F|[\u{E0100}-\u{E01EF}]/u

/**
 * Returns untrusted text in visible form. Each invisible character becomes an escape (`\u202e`, `\u{e0041}`), and each
 * CRLF line end becomes a line feed. The result has at most `max` code points, and an escape at the end is never cut in
 * the middle. Example: `toVisibleText('a\u202eb', 10)` returns `'a\\u202eb'`.
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
