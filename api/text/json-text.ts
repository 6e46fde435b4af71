import { escapeHidden } from './escape-hidden.ts'

/**
 * Returns the text of a JSON answer that is also safe where it is not parsed. Example: `toJsonText({ a: '<b>' })`
 * returns `'{"a":"\\u003cb>"}'`.
 */
export function toJsonText(value: unknown): string {
  return escapeMarkup(JSON.stringify(value))
}

/**
 * Escapes `<` and hidden characters in JSON, so that untrusted texts start no HTML tag and control no terminal. Both
 * occur only in strings, so the value is the same.
 */
export function escapeMarkup(json: string): string {
  return escapeHidden(json).replaceAll('<', '\\u003c')
}
