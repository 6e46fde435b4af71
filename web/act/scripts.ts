import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { demoWalletsFile, islandFiles, scriptFiles } from '../generated/manifest.ts'
import { serveText } from '../http/serve-text.ts'

/** The name of a script for one kind of page. The script `page` is part of all pages. */
export type Island = keyof typeof islandFiles

/**
 * Settings that a service passes to the scripts of its pages: the deployment, and the URLs of the API and the chain.
 */
export interface ScriptSettings {
  /** Content of the operator's deployment file. */
  deployment: { local: boolean; chainId: number; name: string } & object
  /** Origin of the API. Null if the API has the same origin as the pages. */
  apiUrl: string | null
  /**
   * URL of a public node of the chain. If the visitor's wallet does not know the chain yet, the wallet adds the chain
   * with this URL.
   */
  rpcUrl: string
  explorerUrl: string | null
  /**
   * True if the deployment is local and the node identifies itself as the node of a local stack. Demo wallets exist
   * only then.
   */
  hasDemoWallets: boolean
}

const folder = join(import.meta.dirname, '..', 'generated')
const SCRIPT = 'text/javascript; charset=utf-8'

/**
 * Returns the script tags of a page: the tag of the script `page`, and the tags of the named scripts. Modules that
 * these scripts import are preloaded.
 * @example scriptTags(['verify'])
 */
export function scriptTags(names: readonly Island[] = []) {
  const all: readonly Island[] = ['page', ...names]
  const importedFiles = new Set(all.flatMap((name): string[] => islandFiles[name].slice(1)))
  return html`${[...importedFiles].map((file) => html`<link rel="modulepreload" href="/assets/${file}">`)}${all.map(
    (name) => html`<script type="module" src="/assets/${islandFiles[name][0]}"></script>`,
  )}`
}

/**
 * Serves the bundled scripts below `/assets`, and their settings as `/assets/service.js`. The file with the demo
 * wallets exists only at a local deployment with demo wallets.
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

/** Returns the name of the chain as people write it. Example: `base-sepolia` becomes `Base Sepolia`. */
function chainName({ local, chainId, name }: ScriptSettings['deployment']): string {
  if (local) return `Local chain ${chainId}`
  return name.replace(/(^|-)([a-z])/g, (_, before, letter) => `${before && ' '}${letter.toUpperCase()}`)
}
