import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context, Hono } from 'hono'
import { answerTagged } from '../../http/tagged-answer.ts'
import { toJsonText } from '../../text/json-text.ts'
import type { RouteDescriptions } from '../openapi/describe-routes.ts'
import { pagePolicy, scriptDirectives } from '../transport.ts'

/**
 * The files of the page `/docs/api`. `own: true`: the file is in this folder. Otherwise it is in the package
 * swagger-ui-dist.
 */
const ASSETS = {
  'start.js': { type: 'text/javascript; charset=utf-8', own: true },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', own: false },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', own: false },
  'favicon-32x32.png': { type: 'image/png', own: false },
} as const

type AssetName = keyof typeof ASSETS

const DOCUMENT_MAX_AGE = 'public, max-age=300'
const ASSET_MAX_AGE = 'public, max-age=86400'

/**
 * Serves `/openapi.json`, the page `/docs/api` that displays it, and an index at `/`. If the service has no pages for
 * people, `/docs` redirects to `/docs/api`.
 */
export function mountDocs(app: Hono, { document, text }: RouteDescriptions): void {
  app.get('/openapi.json', (c) =>
    answerTagged(c, text, { 'Content-Type': 'application/json', 'Cache-Control': DOCUMENT_MAX_AGE }),
  )
  app.get('/docs', (c) => c.redirect('/docs/api'))
  app.get('/docs/api', async (c) => {
    const page = await readFile(join(import.meta.dirname, 'index.html'), 'utf8')
    return answerTagged(c, page, {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': pagePolicy(scriptDirectives),
      'Cache-Control': DOCUMENT_MAX_AGE,
    })
  })
  for (const name of Object.keys(ASSETS) as AssetName[]) app.get(`/docs/api/${name}`, (c) => serveAsset(c, name))
  const index = toJsonText({
    name: document.info.title,
    version: document.info.version,
    openapi: '/openapi.json',
    docs: '/docs',
    reference: '/docs/api',
    health: '/api/health',
    mcp: '/mcp',
    skill: '/skill.md',
  })
  app.get('/', (c) => answerTagged(c, index, { 'Content-Type': 'application/json' }))
}

async function serveAsset(c: Context, name: AssetName): Promise<Response> {
  const { type, own } = ASSETS[name]
  const folder = own ? import.meta.dirname : dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const bytes = await readFile(join(folder, name))
  return answerTagged(c, new Uint8Array(bytes), { 'Content-Type': type, 'Cache-Control': ASSET_MAX_AGE })
}
