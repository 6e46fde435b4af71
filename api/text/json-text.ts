import { escapeHidden } from './escape-hidden.ts'

/**
 * Returns the JSON text of an answer. The text is also safe to show in HTML or in a terminal. Example: `toJsonText({ a:
 * '<b>' })` returns `'{"a":"\\u003cb>"}'`.
 */
export function toJsonText(value: unknown): string {
  return escapeMarkup(JSON.stringify(value))
}

/**
 * Escapes `<` and hidden characters in a JSON text. Untrusted texts then cannot start an HTML tag or control a
 * terminal. The JSON value stays the same.
 */
export function escapeMarkup(json: string): string {
  return escapeHidden(json).replaceAll('<', '\\u003c')
}
