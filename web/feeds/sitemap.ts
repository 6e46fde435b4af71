import { openReads, ReadProblem } from '../http/read.ts'
import type { WebOptions } from '../options.ts'
import { listPath, type TaskPage } from '../pages/tasks/filter.ts'
import { xml } from './atom.ts'

/** Maximum number of tasks in the sitemap. The sitemap protocol permits at most this number of URLs. */
const MOST_TASKS = 50_000
const PAGE_SIZE = 100
/** Time in milliseconds that one request may spend on reading older tasks. */
const WALK_MS = 3_000
/** Time in milliseconds after which the newest tasks are read again. */
const KEPT_MS = 60_000

const fixedPaths = ['/', '/tasks', '/leaderboard', '/market', '/books', '/drops', '/vaults']

/**
 * Creates a function that returns the sitemap: the fixed pages and the newest public tasks. The function caches the
 * tasks. A call first adds the tasks that were posted since the last read, and then continues to add older tasks. Each
 * call spends at most `WALK_MS` on older tasks.
 */
export function createSitemap(options: WebOptions): () => Promise<string> {
  let codes: string[] = []
  /** Cursor of the next page of older tasks; null if all older tasks are read; undefined before the first read. */
  let cursor: string | null | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let currentWalk: Promise<void> | null = null

  const walk = async (): Promise<void> => {
    const end = performance.now() + WALK_MS
    const reads = openReads(options, null)
    const page = async (after: string | undefined) =>
      await reads.get(listPath, { query: { limit: PAGE_SIZE, ...(after !== undefined && { cursor: after }) } })
    const knownCodes = new Set(codes)
    const newCodes: string[] = []
    let next: string | undefined
    for (let isNew = true; isNew && performance.now() < end; ) {
      const answer: TaskPage = await page(next)
      const rows = answer.tasks.map(({ referenceCode }) => referenceCode)
      newCodes.push(...rows.filter((code) => !knownCodes.has(code)))
      isNew = codes.length > 0 && rows.every((code) => !knownCodes.has(code)) && answer.nextCursor !== null
      next = answer.nextCursor ?? undefined
      if (cursor === undefined) cursor = answer.nextCursor
    }
    codes = [...newCodes, ...codes].slice(0, MOST_TASKS)
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
      currentWalk ??= walk().finally(() => {
        currentWalk = null
      })
      try {
        await currentWalk
      } catch (error) {
        // The cached tasks are served; the next request continues the walk.
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
