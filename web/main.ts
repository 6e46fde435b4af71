import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { flattenDeploymentFile } from '../client/src/index.ts'
import { createWeb } from './create-web.ts'
import type { WebOptions } from './options.ts'

/**
 * `npm run web`: the pages alone, over any API. Settings are variables of the environment: docs/web.md, "Alone".
 */
const {
  API_URL = 'http://127.0.0.1:3000',
  PUBLIC_API_URL,
  WEB_HOST = '127.0.0.1',
  WEB_PORT = '3001',
  WEB_URL,
  SERVICE_NAME = 'service',
  EXPLORER_URL,
  DEPLOYMENT_FILE,
  PUBLIC_RPC_URL = 'https://mainnet.base.org',
  STORAGE_ORIGINS = '',
} = process.env

/** How long a read may take: the API ends its own answers before. */
const READ_LIMIT_MS = 70_000

const api = new URL(API_URL)
/** The API as browsers reach it, where a wallet acts. */
const publicApi = new URL(PUBLIC_API_URL ?? API_URL)
const deployment = DEPLOYMENT_FILE === undefined ? undefined : readDeployment(DEPLOYMENT_FILE)

const app = createWeb({
  fetch: async (request, visitor) => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    if (visitor !== null) {
      // A proxy before this process names the visitor; it appends to what came, as proxies do.
      const { address = '' } = getConnInfo(visitor).remote
      const before = visitor.req.header('x-forwarded-for')
      headers.set('X-Forwarded-For', before === undefined ? address : `${before}, ${address}`)
    }
    const { method } = request
    const signal = AbortSignal.timeout(READ_LIMIT_MS)
    const body = method === 'POST' ? await request.text() : undefined
    const target = new URL(`${api.pathname.replace(/\/$/, '')}${pathname}${search}`, api)
    return await fetch(target, { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) })
  },
  publicUrl: (WEB_URL ?? `http://${WEB_HOST}:${WEB_PORT}`).replace(/\/$/, ''),
  serviceName: SERVICE_NAME,
  explorerUrl: EXPLORER_URL?.replace(/\/$/, ''),
  connectOrigins: [publicApi.origin, ...STORAGE_ORIGINS.split(',').filter((origin) => origin !== '')],
  noteFailure: (error) => console.error(error),
  ...(deployment !== undefined && {
    isLocal: deployment.local,
    scripts: {
      deployment,
      apiUrl: publicApi.origin,
      rpcUrl: PUBLIC_RPC_URL,
      explorerUrl: EXPLORER_URL ?? null,
      // The pages of the service itself have them, next to the node of its stack.
      hasDemoWallets: false,
    },
  }),
})

serve({ fetch: app.fetch, hostname: WEB_HOST, port: Number(WEB_PORT) }, ({ port }) => {
  console.log(`pages on http://${WEB_HOST}:${port}, over the API at ${api.origin}`)
  console.log('visitors are counted one by one where TRUSTED_PROXIES of the API has the address of this process')
  if (deployment === undefined) console.log('without DEPLOYMENT_FILE the pages only show: no wallet can act on them')
})

type Deployment = NonNullable<WebOptions['scripts']>['deployment']

/** The file of the deployment, or the stack file of a local stack, which has it as `addresses`. */
function readDeployment(path: string): Deployment {
  const content = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  const file = flattenDeploymentFile(content.addresses ?? content)
  return { ...file, chainId: Number(file.chainId), name: String(file.name), local: file.local === true }
}
