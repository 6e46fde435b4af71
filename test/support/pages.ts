import type { Hono } from 'hono'
import type { Deps } from '../../api/deps.ts'
import { createApp } from '../../api/server/app.ts'
import { createWeb } from '../../web/create-web.ts'
import type { WebOptions } from '../../web/options.ts'
import { START } from './rows/insert-row.ts'

export const PUBLIC_URL = 'https://market.example'

/**
 * The service with its pages, as `api/main.ts` makes it.
 * @param addRoutes adds routes of the test to the pages, such as one that fails
 */
export function withPages(
  deps: Deps,
  options: Partial<WebOptions> = {},
  addRoutes: (pages: Hono) => void = () => {},
): Hono {
  // The newest block, which the chain of the tests stands at.
  const head = {
    blockNumber: 1_200n,
    blockTimestamp: START,
    ready: true,
    recoversTo: null,
    oldestVersion: 1,
    schemaVersion: 'idx_test',
  }
  const indexedHead = { ...deps.indexedHead, current: () => head }
  const settings = { publicUrl: PUBLIC_URL, serviceName: deps.config.SERVICE_NAME, ...options }
  return createApp({ ...deps, indexedHead }, (fetch) => {
    const pages = createWeb({ fetch, ...settings })
    addRoutes(pages)
    return pages
  })
}

/** What a browser asks with. */
export const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

/** A page as text, with its answer. */
export async function getPage(app: Hono, path: string, headers: Record<string, string> = browser) {
  const response = await app.request(path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
