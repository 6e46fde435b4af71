/** The arguments of the same tool for the page after an answer. */
export interface NextPage {
  /** The part of the answer that goes on, such as `asWorker`; absent: the whole. */
  part?: string
  arguments: Record<string, unknown>
}

/** The properties of a tool's input schema, by name. */
export type Properties = Readonly<Record<string, unknown>>

/**
 * Reads the pages that a `Link` header names. Only parameters that the tool has are taken: the URL itself is no matter of
 * an answer.
 *
 * Example: `<https://x/api/tasks/0x1/pitches?after=7&limit=5>; rel="next"` gives `[{arguments: {after: '7', limit: 5}}]`.
 * @param inPath the arguments that stand in the path
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
 * Reads the page that a cursor in the answer itself names: the same arguments with it.
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
