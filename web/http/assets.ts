import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { compress } from './compress.ts'

const FOLDER = join(import.meta.dirname, '..', 'static')
/** Each is made of files, in their order. */
const ASSETS = {
  'style.css': { type: 'text/css; charset=utf-8', parts: ['style.css', 'pages.css'] },
  'icon.svg': { type: 'image/svg+xml', parts: ['icon.svg'] },
} as const

type AssetName = keyof typeof ASSETS

/** Files that never change under their URL. */
const KEPT_FOR_A_YEAR = 'public, max-age=31536000, immutable'
/** They are compressed once. */
const BEST_QUALITY = 11

/** The static files with the hash of their content in their names. */
export interface Assets {
  /** Example: `assets.url('style.css')` is `/assets/style-3kq0Zb1.css`. */
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
    const encoded = new Map<string, ReturnType<typeof compress>>()
    app.get(url, async (c) => {
      const accepted = c.req.header('accept-encoding') ?? ''
      const compressing = encoded.get(accepted) ?? compress(text, accepted, BEST_QUALITY)
      if (encoded.size < 20) encoded.set(accepted, compressing)
      const { body, encoding } = await compressing
      return c.body(body, 200, {
        'Content-Type': type,
        'Cache-Control': KEPT_FOR_A_YEAR,
        Vary: 'Accept-Encoding',
        ...(encoding !== null && { 'Content-Encoding': encoding }),
      })
    })
  }
  return { url: (name) => urls.get(name) ?? '' }
}
