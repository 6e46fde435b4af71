import type { Context } from 'hono'
import { recordRequest } from '../observability/request-facts.ts'
import type { AnyWrite } from './relayed-write.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** True if the write refunds its unit of `writes` on completion, because its gas and terms are usual. */
    returnsWriteUnit: boolean
  }
}

/** Refunds the unit of a paid write that was mined at a usual price. */
export async function returnUnit(c: Context, isPaid: boolean): Promise<void> {
  if (isPaid && c.get('returnsWriteUnit') !== false) await c.get('rateLimits').refund('writes')
}

/** Wraps a handler of a relayed write with the count of its requests. */
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
