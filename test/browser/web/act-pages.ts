import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { components } from '../../../client/src/index.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { actionsPanel } from '../../../web/act/actions-panel.ts'
import { deliveredFiles } from '../../../web/act/delivered-files.ts'
import { myWorkContent } from '../../../web/act/my-work.ts'
import { newTaskContent } from '../../../web/act/new-task.ts'
import { privateTaskContent } from '../../../web/act/private-task.ts'
import { type Island, type ScriptSettings, scriptTags, serveScripts } from '../../../web/act/scripts.ts'

type Schemas = components['schemas']

/** Pages that have what islands need and little else, at an origin of their own. */
export interface ActPages {
  url: string
  stop(): void
}

/** The policy of the real pages, but for the API of another origin. */
const policyOf = (apiUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ${apiUrl}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types task-market-worker',
  ].join('; ')

/** Serves the pages. @param settings those of the scripts, without what is the same in all tests */
export async function serveActPages(
  settings: Pick<ScriptSettings, 'deployment' | 'hasDemoWallets'> & { apiUrl: string },
): Promise<ActPages> {
  const { apiUrl } = settings
  const read = async <Answer>(path: string) => (await (await fetch(`${apiUrl}/api${path}`)).json()) as Answer
  const app = new Hono()
  const chain = { name: 'Base', rpcUrl: 'https://node.example', explorerUrl: null }
  app.route('/', serveScripts({ ...settings, chain }))
  const style = readFileSync(join(repositoryRoot, 'web', 'static', 'style.css'), 'utf8')
  app.get('/style.css', (c) => c.body(style, 200, { 'Content-Type': 'text/css' }))
  app.get('/favicon.ico', (c) => c.body(null, 204))
  const show = (c: Context, title: string, content: unknown, islands: Island[] = []) => {
    c.header('Content-Security-Policy', policyOf(apiUrl))
    return c.html(pageOf(title, content, islands))
  }
  app.get('/tasks/new', (c) => show(c, 'Post a task', newTaskContent(), ['create']))
  app.get('/me', (c) => show(c, 'My work', myWorkContent(), ['me']))
  app.get('/tasks/:id', async (c) => {
    const id = c.req.param('id')
    const task = await read<Schemas['TaskDetail'] | null>(`/tasks/${id}`)
    if (task === null) return show(c, 'Private', privateTaskContent(id), ['private'])
    const submissions = await read<Schemas['Submission'][]>(`/tasks/${task.id}/submissions`)
    const content = html`<h1>${task.description.split('\n')[0]}</h1>
      <p id="status">${task.status}</p>
      ${submissions.map(deliveredFiles)}
      <aside>${actionsPanel(task, '')}</aside>`
    return show(c, 'Task', content, ['verify'])
  })
  const server = createAdaptorServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

function pageOf(title: string, content: unknown, islands: Island[]) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/style.css" />
        ${scriptTags(islands)}
      </head>
      <body>
        <header><button data-connect>Connect</button></header>
        <main>${content}</main>
      </body>
    </html>`
}
