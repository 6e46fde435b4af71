/**
 * What a terminal obeys or a reader does not see: control characters but line feed and tab, marks that turn the
 * direction of writing, separators and letters without a shape. The joiners stay: words and emoji are written with them.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\uddef]/g

/**
 * The text with each hidden character as its `\u` escapes, one per UTF-16 unit: safe to print, and in JSON, where such
 * characters stand in strings alone, the same value. For whatever strangers write: titles, texts, hook reasons.
 */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at))}`).join(''),
  )
}

function hexOf(unit: number): string {
  return unit.toString(16).padStart(4, '0')
}
