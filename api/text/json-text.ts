import { escapeHidden } from './escape-hidden.ts'

/** The bytes of every JSON answer: a client parses the value; text that is not parsed is not HTML. */
export function toJsonText(value: unknown): string {
  return escapeMarkup(JSON.stringify(value))
}

/**
 * JSON without a raw `<` and without hidden characters: foreign texts in an answer begin no tag, whatever takes the
 * answer for a page, and a terminal that prints it obeys none of them. Both stand in strings alone, so the value is the
 * same.
 */
export function escapeMarkup(json: string): string {
  return escapeHidden(json).replaceAll('<', '\\u003c')
}
