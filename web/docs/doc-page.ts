import { html, raw } from 'hono/html'
import type { Html } from '../html/html.ts'
import type { Page } from '../html/layout.ts'
import { type Doc, type Library, REFERENCE } from './library.ts'

/**
 * The maximum number of pages that the navigation lists for a folder. For a folder with more pages, such as the folder
 * of the error pages, the navigation shows only the folder's index and the current page.
 */
const MOST_SIBLINGS = 60
/**
 * The maximum number of sections that the navigation lists for a page. If a page has more sections, the navigation
 * lists none of them.
 */
const MOST_SECTIONS = 24
const DESCRIPTION_LENGTH = 200

/**
 * Creates the page of a document: links to the parent pages, the search field, the navigation and the text.
 * Example: `docPage(docs.get('/docs/learn/glossary'), docs)`.
 */
export function docPage(doc: Doc, docs: Library['docs']): Page {
  const ancestors = ancestorsOf(doc, docs)
  const crumbs = ancestors.map(({ path, title }) => html`<a href="${path}">${title}</a> / `)
  return {
    title: doc.title,
    description: doc.sections[0]?.text.slice(0, DESCRIPTION_LENGTH) || doc.title,
    path: doc.path,
    layout: 'split left',
    islands: ['docs'],
    body: html`<div class="head docs-head"><p class="crumbs">${crumbs}${doc.title}</p>
<form role="search" data-docs-search data-needs-script><label>Search the documentation<input type="search" name="q" autocomplete="off" spellcheck="false"></label></form></div>
<aside class="docs-nav"><nav aria-label="Documentation">${navigation(doc, docs)}</nav></aside>
<div class="docs-main"><div class="docs-results stack" hidden><h1>Search results</h1><p class="soft" role="status"></p><ol></ol></div>
<article class="prose doc">${raw(doc.html)}</article></div>`,
  }
}

/** Returns the pages above a page in the hierarchy, beginning with the first page of the documentation. */
function ancestorsOf(doc: Doc, docs: Library['docs']): Doc[] {
  const parent = doc.parent === null ? undefined : docs.get(doc.parent)
  return parent === undefined ? [] : [...ancestorsOf(parent, docs), parent]
}

/** Renders links to the pages of a folder. Links to the sections of the current page follow the link to this page. */
function navigation(doc: Doc, docs: Library['docs']): Html {
  const children = childrenOf(doc, docs)
  const index = children.length > 0 || doc.parent === null ? doc : (docs.get(doc.parent) ?? doc)
  const siblings = index === doc ? children : childrenOf(index, docs)
  const shownSiblings = siblings.length > MOST_SIBLINGS ? siblings.filter(({ path }) => path === doc.path) : siblings
  const rows = shownSiblings.map((each) => html`<li>${link(each, doc)}${each === doc ? sectionList(doc) : ''}</li>`)
  return html`<p>${link(index, doc)}</p><ul>${rows}</ul>${index.parent === null ? reference() : ''}`
}

/** Renders the link to the API reference, which the service itself serves. */
function reference(): Html {
  return html`<p><a href="${REFERENCE}">API reference</a></p>`
}

function link({ path, title }: Doc, currentDoc: Doc): Html {
  return html`<a href="${path}"${path === currentDoc.path ? raw(' aria-current="page"') : ''}>${title}</a>`
}

function sectionList({ sections }: Doc): Html | '' {
  const shownSections = sections.filter(({ depth }) => depth === 2)
  if (shownSections.length < 2 || shownSections.length > MOST_SECTIONS) return ''
  return html`<ul>${shownSections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ul>`
}

/**
 * Returns the pages in an index's folder. The pages that the index links to come first, in the order of the links. All
 * other pages follow.
 */
function childrenOf({ path, hrefs }: Doc, docs: Library['docs']): Doc[] {
  const place = ({ path: each }: Doc) => {
    const index = hrefs.indexOf(each)
    return index === -1 ? hrefs.length : index
  }
  return [...docs.values()].filter(({ parent }) => parent === path).toSorted((a, b) => place(a) - place(b))
}
