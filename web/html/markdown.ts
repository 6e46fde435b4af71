import { html } from 'hono/html'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { plain } from '../words/text.ts'
import type { Html } from './html.ts'
import { block } from './text.ts'

/**
 * Maximum number of nested quotes and lists in one line. A text that exceeds this number is shown without rendering,
 * because the parser would need too long.
 */
const DEEPEST = 12
/**
 * Maximum number of characters that can be markup, such as brackets and asterisks. A text that exceeds this number is
 * shown without rendering.
 */
const MOST_MARKS = 1_500
/** Maximum number of rendered texts in the cache. The cache is useful because the same task is shown many times. */
const MAX_KEPT = 300

type Root = ReturnType<typeof fromMarkdown>
type Nodes = Root | Root['children'][number]
type Parents = Extract<Nodes, { children: unknown[] }>

const htmlByText = new Map<string, Html>()

/**
 * Renders CommonMark that a stranger wrote, with a fixed set of elements: paragraphs, lists, quotes, emphasis, code and
 * links. A heading becomes a paragraph, an image becomes a link, and HTML is shown as text.
 * Example: `markdown('*Two* pages, see https://a.example')`.
 */
export function markdown(text: string): Html {
  const before = htmlByText.get(text)
  if (before !== undefined) return before
  const rendering = render(text)
  htmlByText.set(text, rendering)
  const [oldestText] = htmlByText.keys()
  if (htmlByText.size > MAX_KEPT && oldestText !== undefined) htmlByText.delete(oldestText)
  return rendering
}

function render(text: string): Html {
  if (isCostly(text)) return block(text)
  const root = fromMarkdown(text)
  return html`${children(root, definitionsOf(root))}`
}

function isCostly(text: string): boolean {
  const marks = text.match(/[[\]*_`!<&]/g)?.length ?? 0
  const deepestPattern = new RegExp(`^(?:[ \\t]*(?:[>*+-]|\\d{1,9}[.)])){${DEEPEST},}`, 'm')
  return marks > MOST_MARKS || deepestPattern.test(text)
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

/** Renders a link to an http or https URL. Any other URL is shown as text after the label. */
function link(url: string, text: Html[]): Html {
  const href = webUrl(url)
  if (href === null) return html`${text}${url === '' ? '' : html` <code>${plain(url)}</code>`}`
  return html`<a href="${href}" rel="nofollow noopener ugc" referrerpolicy="no-referrer" title="${plain(href)}">${text}</a>`
}

/** Returns an http or https URL in the form that a browser requests; null if the text is not such a URL. */
export function webUrl(url: string): string | null {
  if (!URL.canParse(url)) return null
  const parsedUrl = new URL(url)
  return parsedUrl.protocol === 'https:' || parsedUrl.protocol === 'http:' ? parsedUrl.href : null
}
