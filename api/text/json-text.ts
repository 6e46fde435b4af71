import { escapeHidden } from './escape-hidden.ts'

/**
 * Returns the JSON text of an answer in a form that is safe to show in HTML or a terminal too. Example: `toJsonText({
 * a: '<b>' })` returns `'{"a":"\\u003cb>"}'`.
 */
export function toJsonText(value: unknown): string {
  return escapeMarkup(JSON.stringify(value))
}

/**
 * Escapes `<` and hidden characters in a JSON text, so that untrusted texts cannot start an HTML tag or control a
 * terminal. The JSON value does not change, because `<` and hidden characters occur only inside strings.
 */
export function escapeMarkup(json: string): string {
  return escapeHidden(json).replaceAll('<', '\\u003c')
}
