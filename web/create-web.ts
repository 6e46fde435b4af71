import { type Context, Hono } from 'hono'
import { serveScripts } from './act/scripts.ts'
import { mountDocs } from './docs/mount-docs.ts'
import { mountFeeds } from './feeds/mount-feeds.ts'
import { createFrame, noFrame } from './frame.ts'
import { createExplorer } from './html/address.ts'
import { document, type Frame, type Page } from './html/layout.ts'
import { mountAssets } from './http/assets.ts'
import { openReads, ReadProblem, type Reads } from './http/read.ts'
import { respond } from './http/respond.ts'
import type { WebOptions } from './options.ts'
import { agentPage } from './pages/agent-page.ts'
import { accountPage } from './pages/books/account-page.ts'
import { booksPage } from './pages/books/books-page.ts'
import { dataPage } from './pages/data-page.ts'
import { dropPage, dropsPage } from './pages/drop-pages.ts'
import { homePage } from './pages/home-page.ts'
import { leaderboardPage } from './pages/leaderboard-page.ts'
import { createMarketPage } from './pages/market/market-page.ts'
import { mePage } from './pages/me-page.ts'
import { createNewTaskPage } from './pages/new-task-page.ts'
import { failurePage, missingPage, type ProblemPage, problemPage, refusedPage } from './pages/problem.ts'
import { requesterPage } from './pages/requester-page.ts'
import { listPage } from './pages/tasks/list-page.ts'
import { taskPage } from './pages/tasks/task-page.ts'
import { vaultPage, vaultsPage } from './pages/vault-pages.ts'

/** The result of a route: a page, a problem, or the URL of a redirect. */
type Made = Page | ProblemPage | { redirect: string }
type MakePage = (reads: Reads, c: Context) => Promise<Made> | Made

/**
 * Creates the web pages of the market. The pages read all data from an API.
 *
 * Example: `createWeb({ fetch, publicUrl, serviceName: 'service' })`.
 */
export function createWeb(options: WebOptions): Hono {
  const app = new Hono({ strict: false })
  const assets = mountAssets(app)
  if (options.scripts !== undefined) app.route('/', serveScripts(options.scripts))
  const frameOf = createFrame(options)
  const explorer = createExplorer(options.explorerUrl)
  const policy = pagePolicy(options.connectOrigins ?? [])
  const links = {
    publicUrl: options.publicUrl,
    stylesheet: assets.url('style.css'),
    icon: assets.url('icon.svg'),
    hasScripts: options.scripts !== undefined,
  }

  const show = async (c: Context, pageOrProblem: Page | ProblemPage, reads: Reads): Promise<Response> =>
    await showIn(c, pageOrProblem, await frameOf(reads.head()).catch(() => noFrame))
  const showIn = async (c: Context, pageOrProblem: Page | ProblemPage, frame: Frame): Promise<Response> => {
    const { page, status, headers } =
      'page' in pageOrProblem ? pageOrProblem : { page: pageOrProblem, status: 200 as const, headers: {} }
    const text = String(await document(page, frame, links))
    const type = 'text/html; charset=utf-8'
    return await respond(c, { text, type, status, headers: { 'Content-Security-Policy': policy, ...headers } })
  }
  const at = (path: string, make: MakePage) =>
    app.get(path, async (c) => {
      const reads = openReads(options, c)
      try {
        const pageAnswer = await make(reads, c)
        if ('redirect' in pageAnswer) return c.redirect(pageAnswer.redirect, 302)
        return await show(c, pageAnswer, reads)
      } catch (error) {
        if (!(error instanceof ReadProblem)) throw error
        return await show(c, problemPage(error, pathOf(c)), reads)
      }
    })

  at('/', (reads) => homePage(reads))
  at('/tasks', (reads, c) => listPage(reads, new URL(c.req.url)))
  mountFeeds(app, options)
  at('/tasks/new', createNewTaskPage(options))
  at('/tasks/:task', async (reads, c) => {
    const taskText = c.req.param('task') ?? ''
    const id = toTaskId(taskText)
    return id === null ? unknown(c, 'No such task') : await taskPage(reads, { id, asked: taskText }, explorer)
  })
  at('/tasks/:task/files/:artifact', async (reads, c) => {
    const id = toTaskId(c.req.param('task') ?? '')
    return id === null ? unknown(c, 'No such file') : await artifactUrl(reads, id, c.req.param('artifact') ?? '')
  })
  at('/agents/:address', (reads, c) => ofAddress(c, (address) => agentPage(reads, address, explorer)))
  at('/requesters/:address', (reads, c) => ofAddress(c, (address) => requesterPage(reads, address, explorer)))
  at('/leaderboard', (reads, c) => leaderboardPage(reads, new URL(c.req.url)))
  at('/vaults', (reads, c) => vaultsPage(reads, new URL(c.req.url)))
  at('/vaults/:vault', (reads, c) => vaultPage(reads, c.req.param('vault') ?? '', explorer))
  at('/drops', (reads) => dropsPage(reads))
  at('/drops/:drop', (reads, c) => dropPage(reads, c.req.param('drop') ?? '', new URL(c.req.url)))
  const marketPage = createMarketPage(options)
  at('/market', (reads) => marketPage(reads))
  at('/books', (reads, c) => {
    const url = new URL(c.req.url)
    return url.searchParams.get('account')?.trim() ? accountPage(reads, url, explorer) : booksPage(reads, explorer)
  })
  at('/data', (reads) => dataPage(reads))
  // Documentation pages have an empty footer: they do not depend on the chain.
  mountDocs(app, (c, page) => showIn(c, page, noFrame))
  at('/me', () => mePage())
  at('/refused', (_, c) => refusedPage(c.env) ?? noPage(c))
  app.notFound(async (c) => {
    return await show(c, noPage(c), openReads(options, c))
  })
  app.onError(async (error, c) => {
    options.noteFailure?.(error, c)
    return await show(c, failurePage(error.message, pathOf(c)), openReads(options, c))
  })
  return app
}

function noPage(c: Context): ProblemPage {
  return missingPage('There is no such page', 'The address may be misspelt, or what it named is gone.', pathOf(c))
}

function pathOf({ req }: Context): string {
  const { pathname, search } = new URL(req.url)
  return pathname + search
}

/**
 * Converts the task id in a URL to lower case, or a task's reference code to upper case. Returns null if the text is
 * neither an id nor a code.
 */
function toTaskId(text: string): string | null {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  const code = text.toUpperCase()
  return /^TSK-[0-9A-HJKMNP-TV-Z]{8,52}$/.test(code) ? code : null
}

function unknown(c: Context, title: string): ProblemPage {
  return missingPage(title, 'The address of a task ends in its code, such as TSK-MVSFMM75, or in its id.', pathOf(c))
}

async function ofAddress(c: Context, make: (address: string) => Promise<Made>): Promise<Made> {
  const address = c.req.param('address') ?? ''
  if (/^0x[0-9a-f]{40}$/i.test(address)) return await make(address.toLowerCase())
  return missingPage('No such account', 'The address of an account has 0x and 40 hexadecimal digits.', pathOf(c))
}

/**
 * Returns the Content-Security-Policy of the pages. The policy allows only content from this origin, and forbids inline
 * code and embedding in a frame. Scripts may start a web worker (it hashes files). Scripts may also show images that
 * exist only in the browser's memory.
 * @param connectOrigins other origins that scripts may send requests to
 */
function pagePolicy(connectOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...connectOrigins].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types task-market-worker',
  ].join('; ')
}

/**
 * Returns the current download URL of a file. Each click of a visitor creates a new URL, because download URLs expire.
 */
async function artifactUrl(reads: Reads, idOrCode: string, artifactId: string): Promise<{ redirect: string }> {
  const task = await reads.get('/api/tasks/{taskId}', { path: { taskId: idOrCode } })
  const path = { taskId: task?.id ?? idOrCode, artifactId }
  const { previewUrl } = await reads.get('/api/tasks/{taskId}/artifacts/{artifactId}/preview', { path })
  return { redirect: previewUrl }
}
