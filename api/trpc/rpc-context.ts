import type { Context } from 'hono'

/** The context of a procedure call: the HTTP request that contains it. */
export interface RpcContext {
  /** The HTTP request with its headers, rate limits and request id. All calls of a batch share it. */
  c: Context
  isBatch: boolean
  /** The number of calls in this request. */
  callCount: number
}
