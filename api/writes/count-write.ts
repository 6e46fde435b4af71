import type { Context } from 'hono'
import { recordRequest } from '../observability/request-facts.ts'
import type { AnyWrite } from './define-write.ts'

/** Counts a request of a relayed write. A paid write that was mined gives its unit back. */
export function countWrite(
  { operation }: AnyWrite,
  handle: (c: Context) => Promise<Response>,
): (c: Context) => Promise<Response> {
  return async (c) => {
    recordRequest(c, { operation })
    const rateLimits = c.get('rateLimits')
    await rateLimits.consume('writes')
    const answer = await handle(c)
    if (answer.ok && answer.headers.has('payment-response')) await rateLimits.refund('writes')
    return answer
  }
}
