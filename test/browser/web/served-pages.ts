import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { ScriptSettings } from '../../../web/act/scripts.ts'
import { createWeb } from '../../../web/create-web.ts'

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
  const server = createAdaptorServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
