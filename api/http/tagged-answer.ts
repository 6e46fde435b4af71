import type { Context } from 'hono'
import { isKnownTag, tagOf } from './entity-tags.ts'

/**
 * Answers with bytes and their entity tag, or with 304 if the client already has the bytes. Example: `answerTagged(c,
 * page, { 'Content-Type': 'text/html', 'Cache-Control': 'public, max-age=300' })`.
 */
export function answerTagged(
  c: Context,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  const tag = tagOf(body)
  const isKnown = isKnownTag(c.req.header('if-none-match'), tag)
  return isKnown ? c.body(null, 304, { ...headers, ETag: tag }) : c.body(body, 200, { ...headers, ETag: tag })
}
