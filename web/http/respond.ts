import { hash } from 'node:crypto'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { codingOf, compress } from './compress.ts'

/** A response that is the same for all visitors. */
export interface Answer {
  text: string
  type: string
  status?: ContentfulStatusCode
  headers?: Record<string, string>
}

/**
 * `Cache-Control` of a page. A shared cache serves its copy of the page for one second. After that second, the cache
 * asks the server with the ETag whether the copy is still current. A browser asks in this way at every visit.
 */
const SHARED = 'public, max-age=0, s-maxage=1'
/** A low compression level, because a page is compressed again for each response. */
const QUICK_QUALITY = 4

/**
 * Sends a compressed text with an ETag, or status 304 if the visitor already has the text. No cache stores an error
 * (`no-store`).
 */
export async function respond(c: Context, { text, type, status = 200, headers = {} }: Answer): Promise<Response> {
  c.header('Vary', 'Accept-Encoding', { append: true })
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', status === 200 ? SHARED : 'no-store')
  if (status === 200) {
    const tag = `W/"${hash('sha1', text, 'base64url')}"`
    c.header('ETag', tag)
    const requestTags = c.req.header('if-none-match')
    if (requestTags?.trim() === '*' || requestTags?.split(',').some((requestTag) => requestTag.trim() === tag))
      return c.body(null, 304)
  }
  c.header('Content-Type', type)
  const { body, encoding } = await compress(text, codingOf(c.req.header('accept-encoding')), QUICK_QUALITY)
  if (encoding !== null) c.header('Content-Encoding', encoding)
  return c.body(body, status)
}
