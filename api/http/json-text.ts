import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { escapeHidden } from '../observability/escape-hidden.ts'

/** The bytes of every JSON answer: what a client parses is the value; what nobody parses is not HTML. */
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

/** A JSON answer of this very value. */
export function answerJsonText(
  c: Context,
  value: unknown,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Response {
  return c.body(toJsonText(value), status, { 'Content-Type': 'application/json', ...headers })
}
