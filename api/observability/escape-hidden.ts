import { hiddenCharacters } from '../text/hidden-characters.ts'

/**
 * The text with each hidden character as its `\u` escapes, one per UTF-16 unit: safe to print, and in JSON, where such
 * characters stand in strings alone, the same value. For log lines, JSON answers and logs that are printed.
 */
export function escapeHidden(text: string): string {
  return text.replace(hiddenCharacters, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at))}`).join(''),
  )
}

function hexOf(unit: number): string {
  return unit.toString(16).padStart(4, '0')
}
