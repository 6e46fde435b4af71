import { hiddenCharacters } from './hidden-characters.ts'

/**
 * Replaces each hidden character by `\u` escapes, one for each UTF-16 unit. The escapes are safe in log lines, and keep
 * the value of a JSON text. Example: `escapeHidden('a\u202eb')` returns `'a\\u202eb'`.
 */
export function escapeHidden(text: string): string {
  return text.replace(hiddenCharacters, escapeOf)
}

/**
 * A cache of the escapes of hidden characters that occurred before. A text may contain a million hidden characters, but
 * only about 600 different ones exist.
 */
const escapes = new Map<string, string>()

function escapeOf(character: string): string {
  let escapeText = escapes.get(character)
  if (escapeText === undefined) {
    escapeText = Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at))}`).join('')
    escapes.set(character, escapeText)
  }
  return escapeText
}

function hexOf(unit: number): string {
  return unit.toString(16).padStart(4, '0')
}
