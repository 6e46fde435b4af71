import type { Deps } from '../deps.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { RouteContract } from '../features/define-route.ts'
import { readJsonBody } from '../http/bodies/read-json-body.ts'
import { checkUnknownFields } from '../http/handling.ts'
import { parseWith } from '../http/parse.ts'
import { inputOf } from './batch-input.ts'
import type { RpcContext } from './rpc-context.ts'

/**
 * Returns the function that runs a write as a procedure. No transaction is sent for the write. The function calls the
 * handler of the REST route, under the rate limit of the route.
 */
export function createRouteCall(deps: Deps, route: RouteContract): (context: RpcContext) => Promise<unknown> {
  return async ({ c, isBatch, callCount }) => {
    if (callCount > 1) {
      throw new ServiceError(400, 'unclassified', `${route.operationId} is a write: send it in a request of its own.`, {
        detail: 'write_not_alone',
      })
    }
    await c.get('rateLimits').consume(route.rateLimit ?? 'writes')
    const input = inputOf(await readJsonBody(c), { isBatch })
    checkUnknownFields(c, { input: input, schema: route.body, besides: route.params })
    const params = route.params && parseWith(route.params, input)
    const body = route.body && parseWith(route.body, input)
    const answer = await route.handler(deps, { params, query: undefined, body }, c)
    if (answer instanceof Response) throw new Error(`${route.operationId} answers bytes, which no procedure can`)
    return answer
  }
}
