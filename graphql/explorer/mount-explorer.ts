import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { answerTagged } from '../../api/http/tagged-answer.ts'
import { pagePolicy, scriptDirectives } from '../../api/server/transport.ts'

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const own = import.meta.dirname
const folderOf = (url: string) => dirname(fileURLToPath(url))
const graphiql = folderOf(import.meta.resolve('graphiql/package.json'))
const react = folderOf(import.meta.resolve('react/package.json'))
const reactDom = folderOf(import.meta.resolve('react-dom/package.json'))

/** Files of the page, from this folder and from packages. */
const assets: Record<string, { type: string; folder: string }> = {
  'start.js': { type: SCRIPT, folder: own },
  'explorer.css': { type: STYLE, folder: own },
  'graphiql.min.js': { type: SCRIPT, folder: graphiql },
  'graphiql.min.css': { type: STYLE, folder: graphiql },
  'react.production.min.js': { type: SCRIPT, folder: join(react, 'umd') },
  'react-dom.production.min.js': { type: SCRIPT, folder: join(reactDom, 'umd') },
}

/** Content security policy. The dialogs create a style element, and the style sheet contains the fonts. */
const POLICY = pagePolicy({
  ...scriptDirectives,
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
})

/** Serves GraphiQL as `GET /graphql`: a page for writing queries that loads nothing from another host. */
export function mountExplorer(app: Hono): void {
  app.get('/graphql', async (c) => {
    const page = await readFile(join(own, 'index.html'), 'utf8')
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
