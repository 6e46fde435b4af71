import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { answerTagged } from '../../api/http/tagged-answer.ts'
import { pagePolicy, scriptDirectives } from '../../api/server/transport.ts'

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const ownFolder = import.meta.dirname
const folderOf = (url: string) => dirname(fileURLToPath(url))
const graphiql = folderOf(import.meta.resolve('graphiql/package.json'))
const react = folderOf(import.meta.resolve('react/package.json'))
const reactDom = folderOf(import.meta.resolve('react-dom/package.json'))

/**
 * Files of the explorer page, with their content types and folders. They come from this folder and from npm packages.
 */
const assets: Record<string, { type: string; folder: string }> = {
  'start.js': { type: SCRIPT, folder: ownFolder },
  'explorer.css': { type: STYLE, folder: ownFolder },
  'graphiql.min.js': { type: SCRIPT, folder: graphiql },
  'graphiql.min.css': { type: STYLE, folder: graphiql },
  'react.production.min.js': { type: SCRIPT, folder: join(react, 'umd') },
  'react-dom.production.min.js': { type: SCRIPT, folder: join(reactDom, 'umd') },
}

/**
 * Content security policy of the explorer page. The policy allows inline styles, because GraphiQL's dialogs create a
 * style element. It allows `data:` fonts, because GraphiQL's style sheet contains fonts in this form.
 */
const POLICY = pagePolicy({
  ...scriptDirectives,
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
})

/** Serves GraphiQL, a page for writing queries, at `GET /graphql`. The page loads no file from another host. */
export function mountExplorer(app: Hono): void {
  app.get('/graphql', async (c) => {
    const page = await readFile(join(ownFolder, 'index.html'), 'utf8')
    return answerTagged(c, page, {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'public, max-age=300',
    })
  })
  for (const [name, { type, folder }] of Object.entries(assets)) {
    app.get(`/graphql/explorer/${name}`, async (c) => {
      const bytes = await readFile(join(folder, name))
      return answerTagged(c, new Uint8Array(bytes), { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' })
    })
  }
}
