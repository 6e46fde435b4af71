import type { Context } from 'hono'
import type { Config } from '../config.ts'
import { invalidRequest } from './parse.ts'

/** Where a list is read on: its path below `/api` and the parsed query of this page. */
export interface PageSource {
  path: string
  query: { limit: number; after?: string | undefined } & Record<string, string | number | undefined>
}

/** What a page says of the rows behind it, as OpenAPI describes it. */
export const nextPageHeaders = {
  Link: 'The next page, `<url>; rel="next"`; absent on the last one.',
}

/**
 * Ends a page of a plain array: of `limit + 1` rows read it keeps `limit`, and says in `Link` where the next page
 * begins when there is another row. Interface, "Corrections after the first build": nothing ends silently.
 * @param idOf the id that `after` takes
 */
export function endPage<Row>(
  c: Context,
  { config }: { config: Pick<Config, 'PUBLIC_BASE_URL'> },
  { rows, idOf, source }: { rows: Row[]; idOf: (row: Row) => string; source: PageSource },
): Row[] {
  const page = rows.slice(0, source.query.limit)
  const last = page.at(-1)
  if (rows.length > page.length && last !== undefined) {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...source.query, after: idOf(last) })) {
      if (value !== undefined) query.set(name, String(value))
    }
    c.header('Link', `<${config.PUBLIC_BASE_URL}/api${source.path}?${query}>; rel="next"`, { append: true })
  }
  return page
}

/**
 * An `after` that names no row of the list would look like its end.
 * @throws ServiceError 400 naming the parameter
 */
export function refuseUnknownAfter(isKnown: boolean): void {
  if (isKnown) return
  throw invalidRequest([
    { path: 'after', message: 'must be the id of a row of this list (a reorg can remove one); start again without it' },
  ])
}
