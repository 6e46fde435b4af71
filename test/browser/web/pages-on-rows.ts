import { once } from 'node:events'
import { Overloaded } from '../../../api/concurrency/semaphore.ts'
import { createHttpServer } from '../../../api/server/http-server.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import type { ScriptSettings } from '../../../web/act/scripts.ts'
import { createWeb } from '../../../web/create-web.ts'
import type { WebOptions } from '../../../web/options.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { withPages } from '../../support/pages.ts'
import { START } from '../../support/rows/insert-row.ts'
import { hostileText } from './hostile-texts.ts'

/** A page of the test that the service refuses, as it does with too much to do; its message has a hostile text. */
export const OVERLOADED = '/test/overloaded'
/** A page of the test that fails. */
export const FAILING = '/test/failing'

/** The service with its pages over rows, at an origin of its own. The time of the chain is `START`. */
export interface PagesOnRows {
  api: TestApi
  url: string
  /** How far the clock of a page must be ahead of the host's. */
  clockAheadMs: number
  stop(): Promise<void>
}

/** Paths that the pages register, as Hono writes them. Example: `/tasks/:task`. */
export function listRoutes(): string[] {
  const options = optionsOf('http://127.0.0.1', { local: true, chainId: 8453, name: 'base' })
  const web = createWeb({ ...options, publicUrl: '', serviceName: '', fetch: () => new Response() })
  return [...new Set(web.routes.map(({ path }) => path))]
}

/** Starts the service on empty rows, with the demo wallets of a local deployment. */
export async function startPagesOnRows(): Promise<PagesOnRows> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const api = await startTestApi({ PUBLIC_BASE_URL: url })
  // Wallets have some USDC on this chain.
  Object.assign(api.chain, { usdcBalance: async () => 5_000_000n })
  const app = withPages(api.deps, optionsOf(url, api.deps.deployment), (pages) => {
    pages.get(OVERLOADED, () => {
      throw new Overloaded(hostileText('overloaded'))
    })
    pages.get(FAILING, () => {
      throw new Error(hostileText('failure'))
    })
  })
  const { log } = api.deps
  const server = createHttpServer(app, { hostname: '127.0.0.1', log, bodyTimeout: 60_000 })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    api,
    url,
    clockAheadMs: Number(START) * 1000 - Date.now(),
    stop: async () => {
      server.close()
      // Streams would hold it.
      server.closeAllConnections()
      await api.stop()
    },
  }
}

function optionsOf(url: string, deployment: ScriptSettings['deployment']): Partial<WebOptions> {
  const scripts = { deployment, apiUrl: null, rpcUrl: 'https://node.example', explorerUrl: null, hasDemoWallets: true }
  return { publicUrl: url, isLocal: true, explorerUrl: 'https://explorer.example', scripts }
}
