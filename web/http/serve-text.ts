import type { Hono } from 'hono'
import { type Coding, codingOf, compress } from './compress.ts'

/** `Cache-Control` of a file whose URL contains the hash of its content. The file at such a URL never changes. */
const KEPT_FOR_A_YEAR = 'public, max-age=31536000, immutable'
/** The highest compression level, because a file is compressed only once for each content coding. */
const BEST_QUALITY = 11

/**
 * Serves a compressed text at a URL that contains the hash of its content. Example: `serveText(app, '/assets/a-1.css',
 * file)`.
 */
export function serveText(app: Hono, url: string, { text, type }: { text: string; type: string }): void {
  const bodyByCoding = new Map<Coding, ReturnType<typeof compress>>()
  app.get(url, async (c) => {
    const coding = codingOf(c.req.header('accept-encoding'))
    const compression = bodyByCoding.get(coding) ?? compress(text, coding, BEST_QUALITY)
    bodyByCoding.set(coding, compression)
    const { body, encoding } = await compression
    return c.body(body, 200, {
      'Content-Type': type,
      'Cache-Control': KEPT_FOR_A_YEAR,
      Vary: 'Accept-Encoding',
      ...(encoding !== null && { 'Content-Encoding': encoding }),
    })
  })
}
