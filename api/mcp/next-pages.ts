/** Where a list of an answer goes on: the arguments of the same tool. */
export interface NextPage {
  part?: string
  arguments: Record<string, string | number>
}

/** The pages that a `Link` header of this service names. */
export function readNextPages(
  link: string | null,
  { fixed, numbers }: { fixed: Readonly<Record<string, string>>; numbers: ReadonlySet<string> },
): NextPage[] {
  const links = [...(link ?? '').matchAll(/<([^>]*)>; rel="next"(?:; title="([^"]*)")?/g)]
  return links.map(([, url = '', part]) => ({
    ...(part !== undefined && { part }),
    arguments: { ...fixed, ...toArguments(new URL(url).searchParams, numbers) },
  }))
}

function toArguments(query: URLSearchParams, numbers: ReadonlySet<string>): Record<string, string | number> {
  return Object.fromEntries([...query].map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]))
}
