import type { Context } from 'hono'
import { recordRequest } from '../observability/request-facts.ts'
import type { AnyWrite } from './relayed-write.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /**
     * False if the write's gas or terms are unusual. The unit that the request used of the rate limit `writes` is then
     * not given back.
     */
    returnsWriteUnit: boolean
  }
}

/**
 * Refunds one unit of the rate limit `writes` after a completed write. Only paid writes with usual gas and terms get a
 * refund.
 */
export async function returnUnit(c: Context, isPaid: boolean): Promise<void> {
  if (isPaid && c.get('returnsWriteUnit') !== false) await c.get('rateLimits').refund('writes')
}

/**
 * Wraps the handler of a relayed write. Each request is logged with its operation and uses one unit of the rate limit
 * `writes`.
 */
export function countWrite(
  { operation }: AnyWrite,
  handle: (c: Context) => Promise<Response>,
): (c: Context) => Promise<Response> {
  return async (c) => {
    recordRequest(c, { operation })
    await c.get('rateLimits').consume('writes')
    return await handle(c)
  }
}
