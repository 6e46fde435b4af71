import type { Context } from 'hono'
import { recordRequest } from '../observability/request-facts.ts'
import type { AnyWrite } from './relayed-write.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /**
     * True if the request gets its unit of the rate limit `writes` back after the write is completed. False in two
     * cases: the call used unusually much gas, or the write's `returnsUnit` returned false.
     */
    returnsWriteUnit: boolean
  }
}

/**
 * Gives the unit of the rate limit `writes` back after a completed write. Gives nothing back if the write was free, or
 * if `returnsWriteUnit` is false.
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
