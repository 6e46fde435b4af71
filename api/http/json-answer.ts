import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { toJsonText } from '../text/json-text.ts'

/** Creates an answer whose body is this value as JSON. */
export function answerJsonText(
  c: Context,
  value: unknown,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Response {
  return c.body(toJsonText(value), status, { 'Content-Type': 'application/json', ...headers })
}
