import type { Context } from 'hono'
import type { Config } from '../config.ts'
import { invalidRequest } from './parse.ts'

/**
 * The request for one page of a list: the path below `/api` and the parsed query. The link to the next page is built
 * from them.
 */
export interface PageSource {
  path: string
  query: { limit: number; after?: string | undefined } & Record<string, string | number | undefined>
  /** The name of the answer's field that contains the list; absent if the whole answer is the list. */
  part?: string | undefined
}

/** The OpenAPI descriptions of the answer headers that link to the next page of a list. */
export const nextPageHeaders = {
  Link: 'The next page, `<url>; rel="next"`; absent on the last one.',
}

/**
 * Returns the rows of one page. The caller has read up to `limit + 1` rows. If there are more than `limit` rows, the
 * function leaves out the last row and adds the header `Link` to the next page. See the interface specification,
 * "Corrections after the first build".
 * @param idOf returns the id of a row. The link contains the id of the page's last row in the parameter `after`
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
 * Adds a header `Link` with the next page. An answer may have several `Link` headers.
 * @param title the name of the field that continues on the next page; absent if the whole answer continues
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
 * Refuses the parameter `after` if it is not the id of a row. Without a refusal, the empty answer would look like the
 * end of the list.
 * @throws ServiceError 400 with the name of the parameter
 */
export function refuseUnknownAfter(isKnown: boolean): void {
  if (isKnown) return
  throw invalidRequest([
    { path: 'after', message: 'must be the id of a row of this list (a reorg can remove one); start again without it' },
  ])
}
