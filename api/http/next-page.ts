import type { Context } from 'hono'
import type { Config } from '../config.ts'
import { invalidRequest } from './parse.ts'

/** The place where a list continues: its path below `/api` and the parsed query of this page. */
export interface PageSource {
  path: string
  query: { limit: number; after?: string | undefined } & Record<string, string | number | undefined>
  /** The part of the answer that is the list; absent: the whole. */
  part?: string | undefined
}

/** The headers of a page that announce the next one, for OpenAPI. */
export const nextPageHeaders = {
  Link: 'The next page, `<url>; rel="next"`; absent on the last one.',
}

/**
 * Ends a page of a plain array: keeps `limit` of `limit + 1` rows, and links the next page in `Link` when there is one
 * more. Interface, "Corrections after the first build": no list ends silently.
 * @param idOf returns the id that `after` takes
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
 * Adds a `Link` to the next page; the header may occur several times.
 * @param title the part of the answer that continues there; absent: the whole
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
 * Refuses an `after` that names no row, which would look like the end of the list.
 * @throws ServiceError 400 naming the parameter
 */
export function refuseUnknownAfter(isKnown: boolean): void {
  if (isKnown) return
  throw invalidRequest([
    { path: 'after', message: 'must be the id of a row of this list (a reorg can remove one); start again without it' },
  ])
}
