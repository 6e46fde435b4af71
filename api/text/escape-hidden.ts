import { hiddenCharacters } from './hidden-characters.ts'

/**
 * Replaces each hidden character by its `\u` escapes, one per UTF-16 unit, for log lines and JSON. In JSON the value
 * stays the same, because such characters occur only in strings. Example: `escapeHidden('a\u202eb')` returns
 * `'a\\u202eb'`.
 */
export function escapeHidden(text: string): string {
  return text.replace(hiddenCharacters, escapeOf)
}

/** The escapes by hidden character, of which there are about 600; a text may contain a million. */
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
