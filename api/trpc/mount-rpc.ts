import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { Context, Hono } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import type { Deps } from '../deps.ts'
import { recordFailure } from '../errors/render-error.ts'
import { identityHeaderNames } from '../http/header-names.ts'
import { escapeMarkup } from '../text/json-text.ts'
import type { RpcContext } from './rpc-context.ts'
import { thrownBehind } from './rpc-error.ts'
import { createRpcRouter, type Procedures } from './rpc-router.ts'

const ENDPOINT = '/trpc'
/** The largest number of calls in one request. */
const MAX_BATCH_SIZE = 20

/**
 * Serves every procedure at `/trpc/<name>`. Queries are GET requests, and mutations are POST requests. Batches have the
 * form of tRPC.
 */
export function mountRpc(app: Hono, deps: Deps, procedures: Procedures): void {
  const router = createRpcRouter(deps, procedures)
  app.on(['GET', 'POST'], `${ENDPOINT}/*`, async (c) => {
    const answer = await fetchRequestHandler({
      endpoint: ENDPOINT,
      router,
      req: withoutBody(c),
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: ({ info }): RpcContext => ({
        c,
        isBatch: info.isBatchCall,
        callCount: info.calls.length,
      }),
      onError: ({ error }) => {
        recordFailure(c, thrownBehind(error), deps.log)
      },
    })
    return toAnswer(c, deps, answer)
  })
}

/**
 * Returns the request for the tRPC library, with method and URL but no body. Each procedure reads the body itself, as
 * the REST route does.
 */
function withoutBody({ req }: Context): Request {
  const method = req.method === 'POST' ? 'POST' : 'GET'
  return new Request(req.url, { method, headers: { 'Content-Type': 'application/json' }, signal: req.raw.signal })
}

async function toAnswer(c: Context, { config }: Pick<Deps, 'config'>, answer: Response): Promise<Response> {
  const allow = answer.headers.get('allow')
  if (allow !== null) c.header('Allow', allow)
  const response = c.newResponse(escapeMarkup(await answer.text()), answer.status as StatusCode)
  response.headers.set('Content-Type', 'application/json')
  if (!response.headers.has('Cache-Control')) {
    response.headers.set('Cache-Control', c.req.method === 'POST' ? 'no-store' : 'private')
  }
  response.headers.append('Vary', identityHeaderNames(config.SERVICE_NAME).join(', '))
  return response
}
