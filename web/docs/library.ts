import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type DocFile, isIndex, listFiles } from './list-files.ts'
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.ts'
import { toSearchEntry } from './search-entry.ts'

/** A page of documentation. */
export interface Doc extends RenderedMarkdown {
  /** Such as `/docs/operate/deploy`. */
  path: string
  title: string
  /** The page that lists it; null for the first page. */
  parent: string | null
}

/** All pages of documentation by their paths, and the index that the search reads, as JSON. */
export interface Library {
  docs: ReadonlyMap<string, Doc>
  searchIndex: string
}

/** The description of the API, a page of the service itself. */
export const REFERENCE = '/docs/api'

let library: Promise<Library> | undefined

/** Renders all pages at the first call, and answers later calls with the same ones. It lets other work in after each page. */
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

/** The pages in the order in which the first page links to their folders: of equal hits the earlier page comes first. */
function inOrder(docs: ReadonlyMap<string, Doc>): Doc[] {
  const folders = docs.get('/docs')?.hrefs.filter((href) => docs.has(href)) ?? []
  const place = ({ path }: Doc) => {
    const index = folders.findIndex((folder) => path === folder || path.startsWith(`${folder}/`))
    return index === -1 ? folders.length : index
  }
  return [...docs.values()].toSorted((a, b) => place(a) - place(b))
}

function toDoc({ file, path, text }: DocFile, paths: ReadonlyMap<string, string>): Doc {
  const rendered = renderMarkdown(text, { resolve: (href) => resolveHref(href, file, paths) })
  const title = rendered.sections.find(({ depth }) => depth === 1)?.heading ?? path
  const folder = isIndex(file) ? dirname(dirname(file)) : dirname(file)
  return { ...rendered, path, title, parent: path === '/docs' ? null : `/${folder}` }
}

/**
 * The address that a link of a file leads to: that of a served page for a file below `docs/`, and the link itself for a
 * place in the page, a path of the service or another host. Null for other files of the repository.
 * Example: `/docs/operate/deploy#tls` of `../operate/deploy.md#tls` in `docs/build/rpc.md`.
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
