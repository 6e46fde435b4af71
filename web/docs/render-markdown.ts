import { Marked, type RendererObject } from 'marked'
import { xml } from '../feeds/atom.ts'
import { readDiagram } from './diagrams.ts'

/** A heading with the text below it, up to the next heading. */
export interface DocSection {
  /** Level of the heading, 1 to 6. */
  depth: number
  /** Id of the heading's HTML element, unique in the page. */
  id: string
  heading: string
  /** Text of the section without markup. */
  text: string
}

/** A page of documentation as HTML, with the data that navigation and search need. */
export interface RenderedMarkdown {
  html: string
  sections: DocSection[]
  /** The URLs that the page links to, in their order in the text. */
  hrefs: string[]
}

/** Returns the URL for a link in the Markdown; null if the link leads to no served page. */
export type ResolveHref = (href: string) => string | null

/**
 * Renders Markdown of the repository as HTML. If no page is served for the target of a link, the link's text and its
 * target are shown as text. HTML in the Markdown is shown as text, and HTML comments are omitted. Example:
 * `renderMarkdown('# Deploy\n', { resolve })` has the section `{ depth: 1, id: 'deploy', heading: 'Deploy', text: ''
 * }`.
 */
export function renderMarkdown(text: string, { resolve }: { resolve: ResolveHref }): RenderedMarkdown {
  const hrefs: string[] = []
  const renderer = createRenderer((href) => {
    const target = resolve(href)
    if (target !== null) hrefs.push(target)
    return target
  })
  const html = new Marked({ renderer }).parse(text, { async: false })
  return { html, sections: sectionsOf(html), hrefs }
}

/** Matches inline code that is a path below `docs/` or `/docs`. The code becomes a link to the page. */
const NAMED_PAGE = /^\/?docs(?:\/[\w./-]+)?$/

function createRenderer(resolve: ResolveHref): RendererObject {
  const resolveName = (text: string) => (NAMED_PAGE.test(text) ? resolve(text.replace(/^\/?/, '/')) : null)
  const ids = new Map<string, number>()
  let tables = 0
  let diagrams = 0
  let isInLink = false
  return {
    heading({ tokens, depth }) {
      const innerHtml = this.parser.parseInline(tokens)
      const id = uniqueId(toAnchor(plainText(innerHtml)), ids)
      return `<h${depth} id="${id}">${innerHtml} <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a></h${depth}>\n`
    },
    link({ href, tokens }) {
      isInLink = true
      const innerHtml = this.parser.parseInline(tokens)
      isInLink = false
      const target = resolve(href)
      if (target === null) return `${innerHtml} (<code>${xml(href)}</code>)`
      return `<a href="${xml(target)}">${innerHtml}</a>`
    },
    image: ({ text }) => xml(text),
    codespan({ text }) {
      const target = isInLink ? null : resolveName(text)
      const code = `<code>${xml(text)}</code>`
      return target === null ? code : `<a href="${xml(target)}">${code}</a>`
    },
    code({ text, lang }) {
      const drawing = lang === 'mermaid' ? readDiagram(text) : null
      const source = `<pre tabindex="0"><code>${xml(text)}</code></pre>\n`
      if (drawing === null) return source
      diagrams += 1
      return diagram(drawing, { source, number: diagrams })
    },
    table({ header, rows }) {
      tables += 1
      const cell = ({ tokens, header: isHeader, text }: (typeof header)[number]) => {
        const innerHtml = this.parser.parseInline(tokens)
        return isHeader && text !== '' ? `<th scope="col">${innerHtml}</th>` : `<td>${innerHtml}</td>`
      }
      const row = (cells: typeof header) => `<tr>${cells.map(cell).join('')}</tr>\n`
      const body = rows.map(row).join('')
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${tables}"><table><thead>${row(header)}</thead><tbody>${body}</tbody></table></div>\n`
    },
    html: ({ text }) => (/^<br ?\/?>\s*$/.test(text) ? text : xml(text.replaceAll(/<!--[\s\S]*?-->/g, ''))),
  }
}

/**
 * Renders a drawing that keeps its size and can be scrolled. Visitors who cannot see the drawing get the diagram's
 * source as text.
 */
function diagram(drawing: string, { source, number }: { source: string; number: number }): string {
  // Markers have ids, which the drawings of a page share.
  const uniqueDrawing = drawing.replaceAll(/(?<= id="|url\(#)/g, `diagram-${number}-`)
  return `<div class="drawing"><div class="scroll" tabindex="0" role="region" aria-label="Diagram ${number}">${uniqueDrawing}</div>
<details><summary>Diagram ${number} as text</summary>${source}</details></div>\n`
}

function uniqueId(anchor: string, ids: Map<string, number>): string {
  const count = ids.get(anchor)
  ids.set(anchor, (count ?? 0) + 1)
  return count === undefined ? anchor : `${anchor}-${count}`
}

/**
 * Returns the anchor of a heading. Links in Markdown files name a heading by this anchor. Example: `Who sees what?`
 * becomes `who-sees-what`.
 */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

const HEADING = /<h([1-6]) id="([^"]*)">(.*?) <a class="anchor".*?<\/h\1>/s

function sectionsOf(html: string): DocSection[] {
  // A split by a pattern with three groups: the text before, then depth, id, heading and text of each section.
  const [, ...parts] = html.split(HEADING)
  return Array.from({ length: parts.length / 4 }, (_, index) => {
    const [depth = '1', id = '', heading = '', text = ''] = parts.slice(index * 4)
    return { depth: Number(depth), id, heading: plainText(heading), text: plainText(text) }
  })
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

function plainText(html: string): string {
  const text = html.replaceAll(/<svg[\s\S]*?<\/svg>/g, ' ').replaceAll(/<(?!\/?(?:code|em|strong|a)\b)[^>]*>/g, ' ')
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
