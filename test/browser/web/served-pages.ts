import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll } from 'vitest'
import type { ScriptSettings } from '../../../web/act/scripts.ts'
import { createWeb } from '../../../web/create-web.ts'
import type { WebOptions } from '../../../web/options.ts'
import { listen } from '../../unit/client/listen.ts'

/** The pages of a service, at an origin of their own. */
export interface ServedPages {
  url: string
  stop(): void
}

/** Serves the pages over the API at `apiUrl`, as `npm run web` does. */
export async function servePages({
  apiUrl,
  deployment,
  hasDemoWallets,
}: Pick<ScriptSettings, 'deployment' | 'hasDemoWallets'> & { apiUrl: string }): Promise<ServedPages> {
  const app = createWeb({
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(`${apiUrl}${pathname}${search}`, request))
    },
    publicUrl: 'https://market.example',
    serviceName: 'service',
    connectOrigins: [apiUrl],
    isLocal: deployment.local,
    scripts: { deployment, apiUrl, rpcUrl: 'https://node.example', explorerUrl: null, hasDemoWallets },
  })
  return await listen(getRequestListener(app.fetch))
}

/** Answers requests with the pages of Base over an API that a test answers for. */
export function showPages(answer: WebOptions['fetch']): RequestListener {
  const scripts = {
    deployment: { local: false, chainId: 8453, name: 'base' },
    apiUrl: null,
    rpcUrl: 'https://node.example',
    explorerUrl: null,
    hasDemoWallets: false,
  }
  const web = createWeb({ fetch: answer, publicUrl: 'https://market.example', serviceName: 'service', scripts })
  return getRequestListener(web.fetch)
}

/** Serves for a test file. @returns the root URL, once the tests run */
export function serveFile(handle: RequestListener): () => string {
  let served: ServedPages | undefined
  beforeAll(async () => {
    served = await listen(handle)
  })
  afterAll(() => served?.stop())
  return () => served?.url ?? ''
}
