import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context, Hono } from 'hono'
import type { oas31 } from 'zod-openapi'
import { answerJsonText } from '../../http/json-answer.ts'
import { toJsonText } from '../../text/json-text.ts'
import { mountErrorPages } from './error-pages.ts'

/** Files of the documentation page: its own from this folder, the rest from the swagger-ui-dist package. */
const ASSETS = {
  'start.js': { type: 'text/javascript; charset=utf-8', own: true },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', own: false },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', own: false },
  'favicon-32x32.png': { type: 'image/png', own: false },
} as const

type AssetName = keyof typeof ASSETS

/** Everything from this host, nothing inline: the page works offline and cannot be made to load foreign code. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const DOCUMENT_MAX_AGE = 'public, max-age=300'
const ASSET_MAX_AGE = 'public, max-age=86400'

/** Serves `/openapi.json`, the page at `/docs` that shows it, the pages of errors, and an index at `/`. */
export function mountDocs(app: Hono, document: oas31.OpenAPIObject): void {
  const openapi = toJsonText(document)
  app.get('/openapi.json', (c) =>
    c.body(openapi, 200, { 'Content-Type': 'application/json', 'Cache-Control': DOCUMENT_MAX_AGE }),
  )
  app.get('/docs', async (c) => {
    const page = await readFile(join(import.meta.dirname, 'index.html'), 'utf8')
    return c.html(page, 200, { 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': DOCUMENT_MAX_AGE })
  })
  for (const name of Object.keys(ASSETS) as AssetName[]) app.get(`/docs/${name}`, (c) => serveAsset(c, name))
  mountErrorPages(app)
  app.get('/', (c) =>
    answerJsonText(c, {
      name: document.info.title,
      version: document.info.version,
      openapi: '/openapi.json',
      docs: '/docs',
      health: '/api/health',
      mcp: '/mcp',
      skill: '/skill.md',
    }),
  )
}

async function serveAsset(c: Context, name: AssetName): Promise<Response> {
  const { type, own } = ASSETS[name]
  const folder = own ? import.meta.dirname : dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const bytes = await readFile(join(folder, name))
  return c.body(new Uint8Array(bytes), 200, { 'Content-Type': type, 'Cache-Control': ASSET_MAX_AGE })
}
