import type { Context } from 'hono'

/** What a procedure knows of its request. */
export interface RpcContext {
  /** The HTTP request itself: its headers, its rate limits, its id. All calls of a batch share it. */
  c: Context
  isBatch: boolean
  /** Calls in this request. */
  callCount: number
}
