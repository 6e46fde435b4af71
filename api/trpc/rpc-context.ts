import type { Context } from 'hono'

/** The context of a procedure call, from the HTTP request that contains the call. */
export interface RpcContext {
  /** The HTTP request with its headers, rate limits and request id. All calls of a batch share this context. */
  c: Context
  isBatch: boolean
  /** The number of calls in this request. */
  callCount: number
}
