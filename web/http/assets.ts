import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { serveText } from './serve-text.ts'

const FOLDER = join(import.meta.dirname, '..', 'static')
/** The type of each asset, and its source files in the order in which they are joined. */
const ASSETS = {
  'style.css': { type: 'text/css; charset=utf-8', parts: ['style.css', 'pages.css'] },
  'icon.svg': { type: 'image/svg+xml', parts: ['icon.svg'] },
} as const

type AssetName = keyof typeof ASSETS

/** The static files. The name of each file contains a hash of the file's content. */
export interface Assets {
  /** Returns the URL of an asset. Example: `assets.url('style.css')` is `/assets/style-3kq0Zb1.css`. */
  url(name: AssetName): string
}

/** Serves the stylesheet and the icon of `web/static`. */
export function mountAssets(app: Hono): Assets {
  const urls = new Map<AssetName, string>()
  for (const name of Object.keys(ASSETS) as AssetName[]) {
    const { type, parts } = ASSETS[name]
    const text = parts.map((part) => readFileSync(join(FOLDER, part), 'utf8')).join('')
    const [stem, extension] = name.split('.')
    const url = `/assets/${stem}-${hash('sha256', text, 'base64url').slice(0, 10)}.${extension}`
    urls.set(name, url)
    serveText(app, url, { type, text })
  }
  return { url: (name) => urls.get(name) ?? '' }
}
