import { openReads, ReadProblem } from '../http/read.ts'
import type { WebOptions } from '../options.ts'
import { listPath, type TaskPage } from '../pages/tasks/filter.ts'
import { xml } from './atom.ts'

/** The most URLs that a sitemap has by its protocol. */
const MOST_TASKS = 50_000
const PAGE_SIZE = 100
/** How long one request looks for further tasks, milliseconds. */
const WALK_MS = 3_000
/** How long the newest tasks are not looked for again, milliseconds. */
const KEPT_MS = 60_000

const fixedPaths = ['/', '/tasks', '/leaderboard', '/market', '/books', '/drops', '/vaults']

/**
 * The sitemap: pages that are always there, and the newest public tasks. The tasks that it has are kept; a request reads
 * those that are newer, and then goes on behind the oldest one for a bounded time.
 */
export function createSitemap(options: WebOptions): () => Promise<string> {
  let codes: string[] = []
  /** Where the walk to older tasks goes on; null: it is at the end. */
  let cursor: string | null | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let walking: Promise<void> | null = null

  const walk = async (): Promise<void> => {
    const end = performance.now() + WALK_MS
    const reads = openReads(options, null)
    const page = async (after: string | undefined) =>
      await reads.get(listPath, { query: { limit: PAGE_SIZE, ...(after !== undefined && { cursor: after }) } })
    const known = new Set(codes)
    const newer: string[] = []
    let next: string | undefined
    for (let isNew = true; isNew && performance.now() < end; ) {
      const answer: TaskPage = await page(next)
      const rows = answer.tasks.map(({ referenceCode }) => referenceCode)
      newer.push(...rows.filter((code) => !known.has(code)))
      isNew = codes.length > 0 && rows.every((code) => !known.has(code)) && answer.nextCursor !== null
      next = answer.nextCursor ?? undefined
      if (cursor === undefined) cursor = answer.nextCursor
    }
    codes = [...newer, ...codes].slice(0, MOST_TASKS)
    lookedAt = performance.now()
    while (typeof cursor === 'string' && codes.length < MOST_TASKS && performance.now() < end) {
      const answer: TaskPage = await page(cursor)
      codes.push(...answer.tasks.map(({ referenceCode }) => referenceCode))
      cursor = answer.nextCursor
    }
    codes.length = Math.min(codes.length, MOST_TASKS)
  }

  return async () => {
    const isComplete = cursor === null || codes.length >= MOST_TASKS
    if (!isComplete || performance.now() - lookedAt > KEPT_MS) {
      walking ??= walk().finally(() => {
        walking = null
      })
      try {
        await walking
      } catch (error) {
        // What is kept is served, the walk goes on with the next request.
        if (!(error instanceof ReadProblem) || codes.length === 0) throw error
      }
    }
    return text(options.publicUrl, codes)
  }
}

function text(publicUrl: string, codes: readonly string[]): string {
  const paths = [...fixedPaths, ...codes.map((code) => `/tasks/${code}`)]
  const urls = paths.map((path) => `<url><loc>${xml(publicUrl + path)}</loc></url>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`
}
