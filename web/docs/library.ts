import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type DocFile, isIndex, listFiles } from './list-files.ts'
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.ts'
import { toSearchEntry } from './search-entry.ts'

/** A page of documentation. */
export interface Doc extends RenderedMarkdown {
  /** Path of the page. Example: `/docs/operate/deploy`. */
  path: string
  title: string
  /** Path of the page that lists this page; null for the first page. */
  parent: string | null
}

/** All pages of the documentation by path, and the search index as JSON. */
export interface Library {
  docs: ReadonlyMap<string, Doc>
  searchIndex: string
}

/** Path of the API reference, a page that the service itself serves. */
export const REFERENCE = '/docs/api'

let library: Promise<Library> | undefined

/**
 * Renders all pages at the first call, and returns the same result at later calls. Yields to other work of the process
 * after each page.
 */
export function loadLibrary(): Promise<Library> {
  library ??= renderAll()
  return library
}

async function renderAll(): Promise<Library> {
  const files = await listFiles()
  const paths = new Map(files.map(({ file, path }) => [file, path]))
  const docs = new Map<string, Doc>()
  for (const each of files) {
    docs.set(each.path, toDoc(each, paths))
    await setImmediate()
  }
  return { docs, searchIndex: JSON.stringify(inOrder(docs).map(toSearchEntry)) }
}

/**
 * Returns the pages, sorted by their folders. The folders have the order of their links in the first page. Search
 * results with equal points are also shown in this order.
 */
function inOrder(docs: ReadonlyMap<string, Doc>): Doc[] {
  const folders = docs.get('/docs')?.hrefs.filter((href) => docs.has(href)) ?? []
  const place = ({ path }: Doc) => {
    const index = folders.findIndex((folder) => path === folder || path.startsWith(`${folder}/`))
    return index === -1 ? folders.length : index
  }
  return [...docs.values()].toSorted((a, b) => place(a) - place(b))
}

function toDoc({ file, path, text }: DocFile, paths: ReadonlyMap<string, string>): Doc {
  const rendering = renderMarkdown(text, { resolve: (href) => resolveHref(href, file, paths) })
  const title = rendering.sections.find(({ depth }) => depth === 1)?.heading ?? path
  const folder = isIndex(file) ? dirname(dirname(file)) : dirname(file)
  return { ...rendering, path, title, parent: path === '/docs' ? null : `/${folder}` }
}

/**
 * Returns the URL for a link in a documentation file. A link to a file below `docs/` becomes the path of the served
 * page. A link to any other file of the repository becomes null. All other links stay unchanged. Example: in
 * `docs/build/rpc.md`, the link `../operate/deploy.md#tls` becomes `/docs/operate/deploy#tls`.
 */
function resolveHref(href: string, file: string, paths: ReadonlyMap<string, string>): string | null {
  const [target = '', anchor] = href.split('#')
  if (target === '' || /^(?:https?|mailto):/.test(href)) return href
  if (target === REFERENCE || (target.startsWith('/') && !/^\/docs(?:\/|$)/.test(target))) return href
  const name = target.startsWith('/') ? target.slice(1) : join(dirname(file), target)
  const path = [name, `${name}.md`, join(name, 'README.md')]
    .map((each) => paths.get(each))
    .find((each) => each !== undefined)
  if (path === undefined) return null
  return anchor === undefined ? path : `${path}#${anchor}`
}
