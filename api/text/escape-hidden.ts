import { hiddenCharacters } from './hidden-characters.ts'

/**
 * The text with each hidden character as its `\u` escapes, one per UTF-16 unit: safe to print, and in JSON, where such
 * characters stand in strings alone, the same value. For log lines, JSON answers and logs that are printed.
 */
export function escapeHidden(text: string): string {
  return text.replace(hiddenCharacters, escapeOf)
}

/** By hidden character, of which there are about 600; a text may have a million of them. */
const escapes = new Map<string, string>()

function escapeOf(character: string): string {
  let written = escapes.get(character)
  if (written === undefined) {
    written = Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at))}`).join('')
    escapes.set(character, written)
  }
  return written
}

function hexOf(unit: number): string {
  return unit.toString(16).padStart(4, '0')
}
