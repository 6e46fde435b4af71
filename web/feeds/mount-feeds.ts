import type { Hono } from 'hono'
import { openReads, ReadProblem, type Reads } from '../http/read.ts'
import { respond } from '../http/respond.ts'
import type { WebOptions } from '../options.ts'
import { problemHeaders, problemStatus } from '../pages/problem.ts'
import { listPath, listUrl, readFields, stateChoices, stateOfFields, toQuery } from '../pages/tasks/filter.ts'
import { atomFeed, type FeedFacts } from './atom.ts'
import { jsonFeed } from './json-feed.ts'
import { createSitemap } from './sitemap.ts'

const FEED_SIZE = 50

/**
 * Serves the sitemap, `robots.txt`, and two feeds of the task list (Atom and JSON). The feeds accept every filter of
 * the task list.
 */
export function mountFeeds(app: Hono, options: WebOptions): void {
  const at = (path: string, type: string, make: (reads: Reads, url: URL) => Promise<string> | string) =>
    app.get(path, async (c) => {
      try {
        return await respond(c, { type, text: await make(openReads(options, c), new URL(c.req.url)) })
      } catch (error) {
        if (!(error instanceof ReadProblem)) throw error
        const headers = problemHeaders(error)
        return await respond(c, {
          type: 'text/plain; charset=utf-8',
          text: error.message,
          status: problemStatus(error),
          headers,
        })
      }
    })

  const { publicUrl } = options
  at('/tasks.atom', 'application/atom+xml; charset=utf-8', async (reads, url) =>
    atomFeed(await readFeed(reads, url, publicUrl)),
  )
  at('/tasks.json', 'application/feed+json; charset=utf-8', async (reads, url) =>
    jsonFeed(await readFeed(reads, url, publicUrl)),
  )
  at('/robots.txt', 'text/plain; charset=utf-8', () => robotsText(publicUrl))
  const sitemap = createSitemap(options)
  at('/sitemap.xml', 'application/xml; charset=utf-8', () => sitemap())
}

async function readFeed(reads: Reads, { searchParams }: URL, publicUrl: string): Promise<FeedFacts> {
  const fields = readFields(searchParams)
  const { query, wrong } = toQuery(fields)
  const [first] = wrong
  if (first !== undefined) throw new ReadProblem(`${first.field}: ${first.message}`, { status: 400 })
  const { tasks } = await reads.get(listPath, { query: { ...query, limit: FEED_SIZE } })
  return {
    tasks,
    now: reads.head().now,
    title: `${stateChoices[stateOfFields(fields)].name} tasks`,
    publicUrl,
    listPath: listUrl(fields),
    feedPath: (kind) => listUrl(fields, undefined, `/tasks.${kind}`),
  }
}

/**
 * Returns the text of `robots.txt`. It allows crawlers to read the pages. It forbids them to read the API, the pages
 * about the visitor's own wallet (`/me`), the download links, and filtered lists.
 */
function robotsText(publicUrl: string): string {
  return `User-agent: *
Allow: /
Disallow: /api/
Disallow: /trpc/
Disallow: /mcp
Disallow: /me
Disallow: /tasks?*
Disallow: /leaderboard?*
Disallow: /tasks/*/files/

Sitemap: ${publicUrl}/sitemap.xml
`
}
