/** Arguments of the same tool for the next page. */
export interface NextPage {
  /** Part of the answer that has more rows, such as `asWorker`; absent: the whole answer. */
  part?: string
  arguments: Record<string, unknown>
}

/** The properties of a tool's input schema, by name. */
export type Properties = Readonly<Record<string, unknown>>

/**
 * Parses the next pages in a `Link` header. Only parameters of the tool are used, not the URL itself.
 *
 * Example: `<https://x/api/tasks/0x1/pitches?after=7&limit=5>; rel="next"` gives `[{arguments: {after: '7', limit: 5}}]`.
 * @param inPath the arguments in the path
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
 * Returns the next page by the cursor in the answer: the same arguments with the cursor.
 *
 * Example: `{tasks: […], nextCursor: 'a1'}` of `{limit: 5}` gives `[{arguments: {limit: 5, cursor: 'a1'}}]`.
 */
export function readCursorPage(
  data: unknown,
  { properties, given }: { properties: Properties; given: Readonly<Record<string, unknown>> },
): NextPage[] {
  const cursor = typeof data === 'object' && data !== null && 'nextCursor' in data ? data.nextCursor : null
  return typeof cursor === 'string' && Object.hasOwn(properties, 'cursor') ? [{ arguments: { ...given, cursor } }] : []
}

function toArguments(query: URLSearchParams, properties: Properties): Record<string, string | number> {
  const known = [...query].filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(known.map(([name, value]) => [name, isNumeric(properties[name]) ? Number(value) : value]))
}

function isNumeric(schema: unknown): boolean {
  const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined
  return type === 'integer' || type === 'number'
}
