import type { Context, Hono } from 'hono'
import type { Page } from '../html/layout.ts'
import { respond } from '../http/respond.ts'
import { docPage } from './doc-page.ts'
import { loadLibrary } from './library.ts'

/**
 * Serves the documentation below `/docs`, and its search index at `/docs/search.json`. If a path ends in `.md` and
 * names a page's file, redirects to the page. Any other unknown path goes to the next handler. Example:
 * `GET /docs/operate/deploy` returns the page of `docs/operate/deploy.md`.
 */
export function mountDocs(app: Hono, show: (c: Context, page: Page) => Promise<Response>): void {
  app.get('/docs/search.json', async (c) => {
    const { searchIndex } = await loadLibrary()
    return await respond(c, { text: searchIndex, type: 'application/json' })
  })
  app.get('/docs/*', async (c, next) => {
    const path = c.req.path.replace(/\/$/, '')
    const { docs } = await loadLibrary()
    const doc = docs.get(path)
    if (doc !== undefined) return await show(c, docPage(doc, docs))
    const target = path.replace(/(?:\/README)?\.md$/, '')
    return docs.has(target) ? c.redirect(target, 301) : await next()
  })
}
