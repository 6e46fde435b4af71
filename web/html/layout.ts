import { html, raw } from 'hono/html'
import { type Island, scriptTags } from '../act/scripts.ts'
import type { Child, Html } from './html.ts'
import { grouped } from './money.ts'
import { duration } from './time.ts'

/** The sections that the header links to. */
const sections = {
  tasks: { href: '/tasks', name: 'Tasks' },
  agents: { href: '/leaderboard', name: 'Agents' },
  market: { href: '/market', name: 'Market' },
  books: { href: '/books', name: 'Books' },
  me: { href: '/me', name: 'My work' },
} as const

export type Section = keyof typeof sections

/** A page, as its route returns it. */
export interface Page {
  /** Title of the page as plain text, without the name of the market. */
  title: string
  /** Description for previews and search engines, plain text. */
  description?: string
  /** Canonical path of the page. */
  path: string
  section?: Section
  /** True if search engines should not list the page. The page then has no preview tags. */
  isUnlisted?: boolean
  /** Feeds that contain the same data as the page. */
  feeds?: readonly { type: string; href: string; title: string }[]
  /** `split` renders a main column and an aside at its right. With `split left` the aside comes first. */
  layout?: 'split' | 'split left' | ''
  /** Names of the page's scripts, without the script `page` that all pages have. */
  islands?: readonly Island[]
  /**
   * The task that the page shows. `block`: the block at which the task had the shown state; null if the block is not
   * known. After each event of the task, the page updates itself.
   */
  live?: { taskId: string; block: number | null }
  body: Child
}

/** The data for the footer of a page. */
export interface Frame {
  network: string
  block: number | null
  /** Age of the block, in milliseconds. Null for a new block, because the API reports the age only of older blocks. */
  age: number | null
  /** USDC balance of the market contract, as text; null if it could not be read. */
  held: string | null
  /** True if the amounts in the database agree with those in the contracts; null if they could not be compared. */
  closes: boolean | null
}

/** The URLs that a page refers to. */
export interface Links {
  publicUrl: string
  stylesheet: string
  icon: string
  /** True if pages contain scripts. False for a web app that only shows data: visitors cannot take actions in it. */
  hasScripts: boolean
}

export const MARKET_NAME = 'Task market'

/** Renders a whole HTML document: head, header, the body of `page`, and footer. */
export async function document(page: Page, frame: Frame, links: Links): Promise<Html> {
  const title = page.title === MARKET_NAME ? MARKET_NAME : `${page.title} · ${MARKET_NAME}`
  const body = links.hasScripts ? page.body : await withoutScripts(page.body)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${page.isUnlisted === true ? raw('<meta name="robots" content="noindex">\n') : preview(page, links)}<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${links.stylesheet}">
<link rel="icon" href="${links.icon}" type="image/svg+xml">
${(page.feeds ?? []).map((feed) => html`<link rel="alternate" type="${feed.type}" href="${feed.href}" title="${feed.title}">\n`)}${links.hasScripts ? scriptTags(page.islands) : ''}</head>
<body${links.hasScripts ? '' : raw(' class="still"')}>
<a class="skip" href="#main">Skip to content</a>
${header(page.section, links)}
<main id="main" tabindex="-1" class="page ${page.layout ?? ''}"${liveMarks(page)}>
${body}
</main>
${footer(frame)}
</body>
</html>
`
}

function liveMarks({ live, isUnlisted }: Page): Child {
  if (live === undefined) return null
  const block = live.block === null ? '' : html` data-block="${live.block}"`
  return html` data-live="${live.taskId}"${block}${isUnlisted === true ? raw(' data-unlisted') : ''}`
}

/**
 * Renders a page's body for a web app that serves no scripts. Removes the `noscript` tags but keeps their content, so
 * that all visitors see the content.
 */
async function withoutScripts(body: Child): Promise<Html> {
  return raw(String(await html`${body}`).replaceAll(/<\/?noscript\s*>/g, ''))
}

/** Renders the Open Graph tags and the canonical URL. Only pages that search engines may list have them. */
function preview({ title, description, path }: Page, { publicUrl }: Links): Html {
  return html`${description === undefined ? '' : html`<meta name="description" content="${description}">\n`}<link rel="canonical" href="${publicUrl}${path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${MARKET_NAME}">
<meta property="og:title" content="${title}">
${description === undefined ? '' : html`<meta property="og:description" content="${description}">\n`}<meta property="og:url" content="${publicUrl}${path}">
<meta name="twitter:card" content="summary">
`
}

function header(currentSection: Section | undefined, { hasScripts }: Links): Html {
  return html`<header class="top">
<a class="brand" href="/">${MARKET_NAME}</a>
<nav aria-label="Main">${Object.entries(sections).map(
    ([key, { href, name }]) =>
      html`<a href="${href}"${key === currentSection ? raw(' aria-current="page"') : ''}>${name}</a> `,
  )}</nav>
<a class="button quiet post" href="/tasks/new">Post<span class="rest"> a task</span></a>
${hasScripts ? raw('<button class="button" type="button" data-connect>Connect</button>') : ''}
</header>`
}

function footer({ network, block, age, held, closes }: Frame): Html {
  const at = block === null ? '' : ` · block ${grouped(block)}`
  const books =
    closes === null ? '' : html` · <a href="/books">${closes ? 'the books balance' : 'the books differ'}</a>`
  const state = `${network}${at}${age === null ? '' : ` · ${duration(age)} old`}`
  return html`<footer class="foot">
${state === '' ? '' : html`<span>${state}</span>`}
<a href="/#how">How it works</a> <a href="/skill.md">For agents</a> <a href="/docs">Docs</a> <a href="/docs/api">API</a> <a href="/data">Data</a> <a href="/tasks.atom">Feed</a> <a href="/ready">Status</a>
${held === null ? '' : html`<span>Contracts hold ${held} USDC${books}</span>`}
</footer>`
}

/** Renders a section with a heading and, beside the heading, an optional note. */
export function section(title: Child, content: Child, note: Child = null): Html {
  return html`<section><h2>${title}${note === null ? '' : html` <small class="soft">${note}</small>`}</h2>
${content}</section>`
}

/**
 * Renders a highlighted message. Kinds: `wait` (a required action), `bad` (a loss or a refusal), `open` (good news),
 * empty (any other message).
 */
export function note(kind: '' | 'wait' | 'bad' | 'open', title: Child, text: Child): Html {
  return html`<div class="note ${kind}"><strong>${title}</strong>${text === null ? '' : html`<small>${text}</small>`}</div>`
}

/** Renders a list of terms and their values. A row that is null is omitted. */
export function facts(rows: readonly (readonly [Child, Child] | null)[]): Html {
  return html`<dl class="facts">${rows.map((row) => (row === null ? '' : html`<dt>${row[0]}</dt><dd>${row[1]}</dd>`))}</dl>`
}

/** Renders a list of names and numbers, for the beginning of a page. */
export function stats(rows: readonly (readonly [Child, Child])[]): Html {
  return html`<dl class="stats">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
