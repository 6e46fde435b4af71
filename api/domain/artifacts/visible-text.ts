/**
 * What a reader does not see, or what changes how the rest is shown: control characters (a terminal obeys them), marks
 * that turn the direction of writing, and letters without a shape, which can hold a second text that only machines
 * read. Line break and tab stay, and so do the joiners, which words and emoji are written with.
 */
const INVISIBLE =
  /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|\u034F|[\u{E0100}-\u{E01EF}]/u

/**
 * Foreign text that looks like what it is: each invisible character as an escape (`\u202e`, `\u{e0041}`), line ends as
 * line feeds, cut to `max` code points, no escape in half.
 */
export function toVisibleText(text: string, max: number): string {
  let visible = ''
  let length = 0
  for (const character of text.replaceAll('\r\n', '\n')) {
    const shown = INVISIBLE.test(character) ? escapeOf(character) : character
    // An escape is ASCII, anything else one code point.
    length += shown === character ? 1 : shown.length
    if (length > max) break
    visible += shown
  }
  return visible
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}
