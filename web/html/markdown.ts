import { html } from 'hono/html'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { plain } from '../words/text.ts'
import type { Html } from './html.ts'
import { block } from './text.ts'

/**
 * Limit of nested containers in a line, and of brackets. Texts beyond it are shown unrendered, because parsing them takes too
 * long.
 */
const DEEPEST = 12
const MOST_MARKS = 1_500
/** Number of rendered texts in the cache: the same task is shown many times. */
const MAX_KEPT = 300

type Root = ReturnType<typeof fromMarkdown>
type Nodes = Root | Root['children'][number]
type Parents = Extract<Nodes, { children: unknown[] }>

const kept = new Map<string, Html>()

/**
 * Renders a stranger's CommonMark as a closed list of elements: paragraphs, headings as paragraphs, lists, quotes, emphasis, code
 * and links. HTML is shown as text, an image as a link.
 * Example: `markdown('*Two* pages, see https://a.example')`.
 */
export function markdown(text: string): Html {
  const before = kept.get(text)
  if (before !== undefined) return before
  const made = render(text)
  kept.set(text, made)
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  return made
}

function render(text: string): Html {
  if (isCostly(text)) return block(text)
  const root = fromMarkdown(text)
  return html`${children(root, definitionsOf(root))}`
}

function isCostly(text: string): boolean {
  const marks = text.match(/[[\]*_`!<&]/g)?.length ?? 0
  const deepest = new RegExp(`^(?:[ \\t]*(?:[>*+-]|\\d{1,9}[.)])){${DEEPEST},}`, 'm')
  return marks > MOST_MARKS || deepest.test(text)
}

type Definitions = ReadonlyMap<string, string>

function definitionsOf(root: Root): Definitions {
  const nodes = root.children.filter((node) => node.type === 'definition')
  return new Map(nodes.toReversed().map(({ identifier, url }) => [identifier, url]))
}

function children(parent: Parents, definitions: Definitions): Html[] {
  return parent.children.map((child) => toHtml(child, definitions))
}

function toHtml(node: Nodes, definitions: Definitions): Html {
  switch (node.type) {
    case 'paragraph':
      return html`<p dir="auto">${children(node, definitions)}</p>`
    case 'heading':
      return html`<p dir="auto" class="heading">${children(node, definitions)}</p>`
    case 'text':
      return html`${plain(node.value)}`
    case 'emphasis':
      return html`<em>${children(node, definitions)}</em>`
    case 'strong':
      return html`<strong>${children(node, definitions)}</strong>`
    case 'inlineCode':
      return html`<code>${plain(node.value)}</code>`
    case 'code':
      return html`<pre tabindex="0"><code>${plain(node.value)}</code></pre>`
    case 'break':
      return html`<br>`
    case 'thematicBreak':
      return html`<hr>`
    case 'blockquote':
      return html`<blockquote>${children(node, definitions)}</blockquote>`
    case 'list':
      return node.ordered === true
        ? html`<ol start="${node.start ?? 1}">${children(node, definitions)}</ol>`
        : html`<ul>${children(node, definitions)}</ul>`
    case 'listItem':
      return html`<li>${children(node, definitions)}</li>`
    case 'link':
      return link(node.url, children(node, definitions))
    case 'linkReference':
      return link(definitions.get(node.identifier) ?? '', children(node, definitions))
    case 'image':
      return link(node.url, [html`${plain(node.alt || 'image')}`])
    case 'imageReference':
      return link(definitions.get(node.identifier) ?? '', [html`${plain(node.alt || 'image')}`])
    case 'html':
      return html`<code>${plain(node.value)}</code>`
    case 'definition':
      return html``
    default:
      return html``
  }
}

/** Renders a link to the web. Another address stays text, together with its label. */
function link(url: string, text: Html[]): Html {
  const href = webUrl(url)
  if (href === null) return html`${text}${url === '' ? '' : html` <code>${plain(url)}</code>`}`
  return html`<a href="${href}" rel="nofollow noopener ugc" referrerpolicy="no-referrer" title="${plain(href)}">${text}</a>`
}

/** Returns the URL in the form that a browser requests; null: it is no URL of the web. */
export function webUrl(url: string): string | null {
  if (!URL.canParse(url)) return null
  const parsed = new URL(url)
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null
}
