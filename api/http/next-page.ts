import type { Context } from 'hono'
import type { Config } from '../config.ts'
import { invalidRequest } from './parse.ts'

/** Where a list is read on: its path below `/api` and the parsed query of this page. */
export interface PageSource {
  path: string
  query: { limit: number; after?: string | undefined } & Record<string, string | number | undefined>
  /** Which part of the answer the list is; absent: the whole. */
  part?: string | undefined
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
    const { path, query, part } = source
    linkNextPage(c, { config }, { path, query: { ...query, after: idOf(last) }, title: part })
  }
  return page
}

/**
 * Says in `Link` where an answer goes on; the header may come several times.
 * @param title which part of the answer goes on there; absent: the whole
 */
export function linkNextPage(
  c: Context,
  { config }: { config: Pick<Config, 'PUBLIC_BASE_URL'> },
  {
    path,
    query,
    title,
  }: { path: string; query: Record<string, string | number | undefined>; title?: string | undefined },
): void {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  const ofPart = title === undefined ? '' : `; title="${title}"`
  c.header('Link', `<${config.PUBLIC_BASE_URL}/api${path}?${parameters}>; rel="next"${ofPart}`, { append: true })
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
