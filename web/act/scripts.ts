import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { demoWalletsFile, islandFiles, scriptFiles } from '../generated/manifest.ts'
import { compress } from '../http/compress.ts'

/** An island of a page: `page` is part of all of them. */
export type Island = keyof typeof islandFiles

/** What a service tells its own pages, for what they pay to and how they reach the chain. */
export interface ScriptSettings {
  /** The content of the operator's deployment file. */
  deployment: { local: boolean } & object
  /** The origin of the API; null: that of the pages. */
  apiUrl: string | null
  chain: { name: string; rpcUrl: string; explorerUrl: string | null }
  /** The deployment is local and its node answers as one of a local stack: only then are there demo wallets. */
  hasDemoWallets: boolean
}

const folder = join(import.meta.dirname, '..', 'generated')
/** A file is compressed once for each way that clients ask. */
const BEST_QUALITY = 11
const MOST_ENCODINGS = 20
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * The script tags of a page: the island that all pages have, and those that are named. Their imports are preloaded.
 * @example scriptTags(['verify'])
 */
export function scriptTags(names: readonly Island[] = []) {
  const all: readonly Island[] = ['page', ...names]
  const imported = new Set(all.flatMap((name): string[] => islandFiles[name].slice(1)))
  return html`${[...imported].map((file) => html`<link rel="modulepreload" href="/assets/${file}">`)}${all.map(
    (name) => html`<script type="module" src="/assets/${islandFiles[name][0]}"></script>`,
  )}`
}

/**
 * Serves the bundles of the islands below `/assets`, and `/assets/service.js`, which tells them what they pay to. The demo
 * wallets are there for a local deployment alone, and 404 else.
 */
export function serveScripts(settings: ScriptSettings): Hono {
  const app = new Hono()
  const hasDemo = settings.deployment.local && settings.hasDemoWallets
  const names = hasDemo ? [...scriptFiles, demoWalletsFile] : scriptFiles
  const files = names.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
  const service = `export default ${JSON.stringify(toService(settings))}\n`
  app.get('/assets/service.js', (c) =>
    c.body(service, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }),
  )
  for (const [name, text] of files) {
    const encoded = new Map<string, ReturnType<typeof compress>>()
    app.get(`/assets/${name}`, async (c) => {
      const accepted = c.req.header('accept-encoding') ?? ''
      const compressing = encoded.get(accepted) ?? compress(text, accepted, BEST_QUALITY)
      if (encoded.size < MOST_ENCODINGS) encoded.set(accepted, compressing)
      const { body, encoding } = await compressing
      return c.body(body, 200, {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': IMMUTABLE,
        Vary: 'Accept-Encoding',
        ...(encoding !== null && { 'Content-Encoding': encoding }),
      })
    })
  }
  return app
}

function toService({ deployment, apiUrl, chain, hasDemoWallets }: ScriptSettings) {
  const demoWallets = deployment.local && hasDemoWallets ? `/assets/${demoWalletsFile}` : null
  return { deployment, apiUrl, chain, demoWallets }
}
