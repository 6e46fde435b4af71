import type { Context } from 'hono'

/** The request of a procedure. */
export interface RpcContext {
  /** The HTTP request with its headers, rate limits and id. All calls of a batch share it. */
  c: Context
  isBatch: boolean
  /** The number of calls in this request. */
  callCount: number
}
