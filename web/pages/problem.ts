import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Child, Html } from '../html/html.ts'
import { note, type Page } from '../html/layout.ts'
import { ReadProblem } from '../http/read.ts'
import { plain } from '../words/text.ts'

/** An error page, with its HTTP status and additional headers. */
export interface ProblemPage {
  page: Page
  status: ContentfulStatusCode
  headers: Record<string, string>
}

/** Renders a note that says why the API refused a read, and what the visitor can do. */
export function problemNote(problem: ReadProblem): Html {
  const { title, text } = wordsOf(problem)
  return note('bad', title, text)
}

/** Returns the HTTP status of a page whose API reads were refused. */
export function problemStatus({ status }: ReadProblem): ContentfulStatusCode {
  if (status === 400 || status === 404 || status === 429 || status === 503) return status
  return 502
}

/** Returns the header `Retry-After` if the API named a time to wait, else no header. */
export function problemHeaders({ retryAfter }: ReadProblem): Record<string, string> {
  return retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }
}

/** Creates the error page that replaces a page whose API read failed. */
export function problemPage(problem: ReadProblem, path: string): ProblemPage {
  const { title, text } = wordsOf(problem)
  // A refusal of this kind does not change with a retry.
  const isFinal = problem.status === 400 || problem.status === 404
  // A path that begins with two slashes would lead to another host.
  const again = path.replace(/^[/\\]+/, '/')
  const next = isFinal
    ? html`<a class="button quiet" href="/tasks">See open tasks</a>`
    : html`<a class="button quiet" href="${again}">Try again</a>`
  return {
    status: problemStatus(problem),
    headers: problemHeaders(problem),
    page: {
      title,
      path,
      isUnlisted: true,
      body: html`<div class="head"><h1>${title}</h1></div><div class="prose"><p>${text}</p><p>${next}</p></div>`,
    },
  }
}

/** Creates the error page that replaces a page whose code failed. */
export function failurePage(message: string, path: string): ProblemPage {
  return { ...problemPage(new ReadProblem(message, { status: 500 }), path), status: 500 }
}

/**
 * The refusal of a page request by the service, for example because of a rate limit. The service passes this object in
 * the bindings (`c.env`) of the request, which clients cannot set.
 */
interface Refusal {
  path: string
  status: ContentfulStatusCode
  message: string
  /** Seconds until the next request is accepted, as text; null if no time is known. */
  retryAfter: string | null
}

/**
 * Returns the error page for the refusal that the service put into the bindings of the page request; null if the
 * bindings contain no refusal.
 */
export function refusedPage(bindings: unknown): ProblemPage | null {
  const { refusal } = (bindings ?? {}) as { refusal?: Refusal }
  if (refusal === undefined) return null
  const { path, status, message, retryAfter } = refusal
  const problem = new ReadProblem(message, { status, retryAfter: retryAfter === null ? null : Number(retryAfter) })
  return { ...problemPage(problem, path), status }
}

/** Creates the error page for content that does not exist, or that this visitor may not see. */
export function missingPage(title: string, text: Child, path: string): ProblemPage {
  const body = html`<div class="head"><h1>${title}</h1></div>
<div class="prose"><p>${text}</p><p><a class="button quiet" href="/tasks">See open tasks</a></p></div>`
  return { status: 404, headers: {}, page: { title, path, isUnlisted: true, body } }
}

function wordsOf({ status, retryAfter, message }: ReadProblem): { title: string; text: string } {
  const again = retryAfter === null ? 'Try again in a moment.' : `Try again in ${retryAfter} s.`
  switch (status) {
    case 400:
      return { title: 'This cannot be shown', text: `The address of this page has a mistake: ${plain(message)}` }
    case 404:
      return { title: 'Not found', text: plain(message) }
    case 429:
      return { title: 'Too many requests', text: `Your network has asked for too many pages in a short time. ${again}` }
    case 500:
      return { title: 'This page failed', text: `The failure is written down here. Nothing was changed. ${again}` }
    case 503:
      return { title: 'The market is catching up', text: `${plain(message)} ${again}` }
    default:
      return { title: 'The service does not answer', text: `Nothing was changed. ${again}` }
  }
}
