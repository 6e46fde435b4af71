import type { Context } from 'hono'
import { recordRequest } from '../observability/request-facts.ts'
import type { AnyWrite } from './relayed-write.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /**
     * False if the write used unusually much gas, or if the write's `returnsUnit` returned false. The request then does
     * not get its unit of the rate limit `writes` back.
     */
    returnsWriteUnit: boolean
  }
}

/**
 * Gives the unit of the rate limit `writes` back after a completed write. Free writes and writes with a false
 * `returnsWriteUnit` get no unit back.
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
