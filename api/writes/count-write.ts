import type { Context } from 'hono'
import { recordRequest } from '../observability/request-facts.ts'
import type { AnyWrite } from './relayed-write.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The write gives its unit of `writes` back when it completes: its gas and its terms are usual. */
    returnsWriteUnit: boolean
  }
}

/** Counts a request of a relayed write. A paid write that was mined, at a usual price, gives its unit back. */
export function countWrite(
  { operation }: AnyWrite,
  handle: (c: Context) => Promise<Response>,
): (c: Context) => Promise<Response> {
  return async (c) => {
    recordRequest(c, { operation })
    const rateLimits = c.get('rateLimits')
    await rateLimits.consume('writes')
    const answer = await handle(c)
    const isPaid = answer.ok && answer.headers.has('payment-response')
    if (isPaid && c.get('returnsWriteUnit') !== false) await rateLimits.refund('writes')
    return answer
  }
}
