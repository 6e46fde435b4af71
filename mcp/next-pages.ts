/** The arguments with which the same tool returns the next page. */
export interface NextPage {
  /** Name of the part of the answer that has more rows, such as `asWorker`; absent if the whole answer is one list. */
  part?: string
  arguments: Record<string, unknown>
}

/** The properties of a tool's input schema, by name. */
export type Properties = Readonly<Record<string, unknown>>

/**
 * Reads the arguments of the next pages from a `Link` header. Only query parameters that are arguments of the tool are
 * used; the rest of the URL is ignored.
 *
 * Example: `<https://x/api/tasks/0x1/pitches?after=7&limit=5>; rel="next"` gives `[{arguments: {after: '7', limit:
 * 5}}]`.
 * @param inPath the arguments that are part of the route's path; they are the same for the next pages
 */
export function readNextPages(
  link: string | null,
  { properties, inPath }: { properties: Properties; inPath: Readonly<Record<string, string>> },
): NextPage[] {
  const links = [...(link ?? '').matchAll(/<([^>]*)>; rel="next"(?:; title="([^"]*)")?/g)]
  return links.map(([, url = '', part]) => ({
    ...(part !== undefined && { part }),
    arguments: { ...inPath, ...toArguments(new URLSearchParams(url.split('?')[1]), properties) },
  }))
}

/**
 * Returns the next page if the answer has a `nextCursor`: the given arguments together with this cursor. Returns an
 * empty list otherwise.
 *
 * Example: `{tasks: […], nextCursor: 'a1'}` after a call with `{limit: 5}` gives `[{arguments: {limit: 5, cursor:
 * 'a1'}}]`.
 */
export function readCursorPage(
  data: unknown,
  { properties, given }: { properties: Properties; given: Readonly<Record<string, unknown>> },
): NextPage[] {
  const cursor = typeof data === 'object' && data !== null && 'nextCursor' in data ? data.nextCursor : null
  return typeof cursor === 'string' && Object.hasOwn(properties, 'cursor') ? [{ arguments: { ...given, cursor } }] : []
}

function toArguments(query: URLSearchParams, properties: Properties): Record<string, string | number> {
  const knownParameters = [...query].filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(
    knownParameters.map(([name, value]) => [name, isNumeric(properties[name]) ? Number(value) : value]),
  )
}

function isNumeric(schema: unknown): boolean {
  const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined
  return type === 'integer' || type === 'number'
}
