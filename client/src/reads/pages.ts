import type { paths } from '../api/openapi.ts'
import type { ClientContext } from '../context.ts'
import { findRows, pageShapeOf } from '../http/row-shapes.ts'
import { type ReadQuery, readJson } from './read-json.ts'

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : never
type RowsOf<Answer> = Answer extends readonly (infer Row)[]
  ? Row
  : { [Name in keyof Answer]-?: Answer[Name] extends readonly (infer Row)[] ? Row : never }[keyof Answer]

/** The API path of a list: a read whose answer is a page of rows. Example: `'/api/tasks'`. */
export type ListPath = {
  [Path in keyof paths]: RowsOf<AnswerOf<Path>> extends never ? never : Path
}[keyof paths]

/** The type of one row in the list at `Path`. */
export type RowOf<Path extends ListPath> = RowsOf<AnswerOf<Path>>

export interface ListOptions {
  /** The values of the path parameters in braces. Example: `{ taskId: '0x12…' }`. */
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
}

/** Thrown when a read was refused, or when no usable answer arrived. `status` is null if no usable answer arrived. */
export class ReadError extends Error {
  override name = 'ReadError'
  readonly status: number | null
  readonly body: unknown

  constructor(message: string, { status, body }: { status: number | null; body: unknown }) {
    super(message)
    this.status = status
    this.body = body
  }
}

/**
 * Yields all rows of a list, page by page. Finds the next page by the field `nextCursor` or the header `Link`.
 * @throws ReadError
 */
export async function* listRows<Path extends ListPath>(
  context: Pick<ClientContext, 'url' | 'fetch' | 'identity' | 'timing'>,
  path: Path,
  { path: parameters = {}, query = {} }: ListOptions = {},
): AsyncGenerator<RowOf<Path>, void, undefined> {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
  const shape = pageShapeOf(path)
  let last = ''
  for (let next: ReadQuery | null = toQuery(query); next !== null; ) {
    const answer = await readJson(context, target, next, shape)
    if (!answer.ok) throw new ReadError(answer.message, answer)
    yield* (findRows(answer.body) ?? []) as RowOf<Path>[]
    const nextQuery = nextOf(answer.body, answer.headers)
    if (nextQuery === null) return
    const place = JSON.stringify(nextQuery)
    if (place === last) {
      const message = `${context.url}${target} names the same next page twice; another one is expected.`
      throw new ReadError(message, { status: null, body: null })
    }
    last = place
    next = { ...next, ...nextQuery }
  }
}

/**
 * Returns the query parameter that selects the next page; null after the last page. Only the parameter `after` of a
 * `Link` header is used, so an answer cannot redirect the next request.
 */
export function nextOf(body: unknown, headers: Headers): Record<string, string> | null {
  const { nextCursor } = (body ?? {}) as { nextCursor?: unknown }
  if (typeof nextCursor === 'string') return { cursor: nextCursor }
  const link = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  const after = link === undefined ? null : new URLSearchParams(link.split('?')[1]).get('after')
  return after === null ? null : { after }
}

function toQuery(query: NonNullable<ListOptions['query']>): ReadQuery {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]))
}
