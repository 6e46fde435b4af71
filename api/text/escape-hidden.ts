import { hiddenCharacters } from './hidden-characters.ts'

/**
 * Replaces each hidden character of a text by `\u` escapes, one for each UTF-16 unit, for log lines and JSON. The value
 * of a JSON text does not change, because hidden characters occur only inside its strings. Example:
 * `escapeHidden('a\u202eb')` returns `'a\\u202eb'`.
 */
export function escapeHidden(text: string): string {
  return text.replace(hiddenCharacters, escapeOf)
}

/**
 * The escape of each hidden character that was escaped before. There are about 600 such characters, and a text may
 * contain a million of them.
 */
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
