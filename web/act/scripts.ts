import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { demoWalletsFile, islandFiles, scriptFiles } from '../generated/manifest.ts'
import { serveText } from '../http/serve-text.ts'

/** An island of a page: `page` is part of all of them. */
export type Island = keyof typeof islandFiles

/** What a service tells its own pages, for what they pay to and how they reach the chain. */
export interface ScriptSettings {
  /** The content of the operator's deployment file. */
  deployment: { local: boolean; chainId: number; name: string } & object
  /** The origin of the API; null: that of the pages. */
  apiUrl: string | null
  /** A public node, for wallets that do not have the chain yet. */
  rpcUrl: string
  explorerUrl: string | null
  /** The deployment is local and its node answers as one of a local stack: only then are there demo wallets. */
  hasDemoWallets: boolean
}

const folder = join(import.meta.dirname, '..', 'generated')
const SCRIPT = 'text/javascript; charset=utf-8'

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
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8')
    serveText(app, `/assets/${name}`, { text, type: SCRIPT })
  }
  const service = `export default ${JSON.stringify(toService(settings))}\n`
  app.get('/assets/service.js', (c) => c.body(service, 200, { 'Content-Type': SCRIPT, 'Cache-Control': 'no-cache' }))
  return app
}

function toService({ deployment, apiUrl, rpcUrl, explorerUrl, hasDemoWallets }: ScriptSettings) {
  const demoWallets = deployment.local && hasDemoWallets ? `/assets/${demoWalletsFile}` : null
  return { deployment, apiUrl, chain: { name: chainName(deployment), rpcUrl, explorerUrl }, demoWallets }
}

/** The name of the chain for people. Example: `Base Sepolia` of `base-sepolia`. */
function chainName({ local, chainId, name }: ScriptSettings['deployment']): string {
  if (local) return `Local chain ${chainId}`
  return name.replace(/(^|-)([a-z])/g, (_, before, letter) => `${before && ' '}${letter.toUpperCase()}`)
}
