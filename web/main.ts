import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { flattenDeploymentFile } from '../client/src/index.ts'
import { readSettings } from '../settings/read-settings.ts'
import { refuseStart, warnOfUnknownNames } from '../settings/refuse-start.ts'
import { checkSetting, describeListenError } from '../settings/start-problems.ts'
import type { SettingsOf } from '../settings/table.ts'
import { createWeb } from './create-web.ts'
import type { WebOptions } from './options.ts'

/**
 * Runs `npm run web`: a process that serves only the web pages, and reads all data from an API. The settings are
 * environment variables (docs/operate/web.md).
 */
const settings = readSettingsOrEnd()
warnOfUnknownNames('web')
const { API_URL, WEB_HOST, WEB_PORT, EXPLORER_URL } = settings

/** Time limit of a request to the API, in milliseconds. The limit exceeds the API's own time limits. */
const READ_LIMIT_MS = 70_000
/** Time at shutdown in which responses in progress can be completed, in milliseconds. */
const SHUTDOWN_MS = 5_000

const api = new URL(API_URL)
/** URL at which browsers and wallets reach the API. */
const publicApi = new URL(settings.PUBLIC_API_URL ?? API_URL)
const deployment = await checkSetting('DEPLOYMENT_FILE', () => readDeployment(settings.DEPLOYMENT_FILE)).catch(
  (error) => refuseStart('web', error),
)

const app = createWeb({
  fetch: async (request, visitor) => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    if (visitor !== null) {
      // A proxy before this process names the visitor by appending to the header.
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
  publicUrl: settings.WEB_URL ?? `http://${WEB_HOST}:${WEB_PORT}`,
  serviceName: settings.SERVICE_NAME,
  explorerUrl: EXPLORER_URL,
  connectOrigins: [publicApi.origin, ...settings.STORAGE_ORIGINS],
  noteFailure: (error) => console.error(error),
  ...(deployment !== null && {
    isLocal: deployment.local,
    scripts: {
      deployment,
      apiUrl: publicApi.origin,
      rpcUrl: settings.PUBLIC_RPC_URL,
      explorerUrl: EXPLORER_URL ?? null,
      // Only the pages of the service itself, beside the node of its stack, have demo wallets.
      hasDemoWallets: false,
    },
  }),
})

const server = serve({ fetch: app.fetch, hostname: WEB_HOST, port: WEB_PORT }, ({ port }) => {
  console.log(`pages on http://${WEB_HOST}:${port}, over the API at ${api.origin}`)
  console.log('visitors are counted one by one where TRUSTED_PROXIES of the API has the address of this process')
  if (deployment === null) {
    console.log(`${settings.DEPLOYMENT_FILE} names no contracts: the pages only show, and no wallet can act on them`)
  }
})

server.once('error', (error) => refuseStart('web', describeListenError(error, { host: 'WEB_HOST', port: 'WEB_PORT' })))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0))
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    setTimeout(() => process.exit(0), SHUTDOWN_MS).unref()
  })
}

type Deployment = NonNullable<WebOptions['scripts']>['deployment']

/**
 * Reads a deployment file, or the field `addresses` in the file of a local stack; null if the file contains no
 * contracts.
 */
function readDeployment(path: string): Deployment | null {
  const content = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  const { contracts } = content
  if (typeof contracts === 'object' && contracts !== null && Object.keys(contracts).length === 0) return null
  const file = flattenDeploymentFile(content.addresses ?? content)
  return { ...file, chainId: Number(file.chainId), name: String(file.name), local: file.local === true }
}

function readSettingsOrEnd(): SettingsOf<'web'> {
  try {
    return readSettings('web', process.env)
  } catch (error) {
    return refuseStart('web', error)
  }
}
