import type { Context, Hono } from 'hono'
import { isAskedFor } from '../http/accept.ts'
import type { PageReads } from './page-reads.ts'

/**
 * Creates the pages for people. They read data with `fetch`. `visitor`: the context of the page's request; null for
 * data that is cached for all visitors.
 */
export type OpenPages = (fetch: (request: Request, visitor: Context | null) => Promise<Response>) => Hono

export interface MountedPages {
  /** Returns a page for an unknown path outside the API, for a browser. Returns null for all other requests. */
  answerUnknown(c: Context): Response | Promise<Response> | null
  /** Returns a refusal as a page for browsers, and unchanged for other clients. */
  answerRefusal(c: Context, refusal: Response): Promise<Response>
}

/**
 * Mounts the pages for people. At `/`, only browsers receive a page. Example: `mountPages(app, (fetch) => createWeb({
 * fetch, ...settings }), pageReads)`.
 */
export function mountPages(app: Hono, openPages: OpenPages, pageReads: PageReads): MountedPages {
  const pages = openPages(async (request, visitor) => {
    const headers = {
      'X-Forwarded-For': visitor?.req.header('x-forwarded-for'),
      'X-Request-Id': visitor?.get('requestId'),
    }
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) request.headers.set(name, value)
    return await app.fetch(request, pageReads.bindingsOf(visitor))
  })
  app.get('/', async (c, next) => {
    if (isAskedFor('text/html', c.req.header('accept'))) c.res = await pages.fetch(c.req.raw, c.env)
    else await next()
    c.res.headers.append('Vary', 'Accept')
  })
  for (const { method, path, handler } of pages.routes) {
    if (path !== '/') app.on(method, path, handler)
  }
  return {
    answerUnknown: ({ req, env }) => (asksForPage(req) ? pages.fetch(req.raw, env) : null),
    answerRefusal: async (c, refusal) => {
      if (!asksForPage(c.req)) return refusal
      const { error } = (await refusal.json()) as { error: string }
      const { status, headers } = refusal
      const { pathname, search } = new URL(c.req.url)
      const request = new Request(new URL('/refused', c.req.url), { headers: c.req.raw.headers })
      const pageRefusal = { path: pathname + search, status, message: error, retryAfter: headers.get('Retry-After') }
      return await pages.fetch(request, { ...c.env, refusal: pageRefusal })
    },
  }
}

function asksForPage(req: Context['req']): boolean {
  return (
    req.method === 'GET' &&
    isAskedFor('text/html', req.header('accept')) &&
    !/^\/(?:api|trpc|mcp)(?:\/|$)/.test(req.path)
  )
}
