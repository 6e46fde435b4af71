import type { Context } from 'hono'
import type { ZodType } from 'zod'
import type { Reason } from '../../protocol/reasons.ts'
import type { Deps } from '../deps.ts'
import type { RateLimitName } from '../http/client-rate-limits.ts'

/** Credentials that a route can require: the read-identity headers of a wallet, or the token of a device. */
export type Credential = 'ReadIdentity' | 'DeviceToken'

/** What a response of a route looks like. `schema` for JSON; `contentType` alone for raw bytes. */
export interface ResponseContract {
  description: string
  schema?: ZodType
  contentType?: string
  /** Media types beside JSON that the client may ask for. */
  otherTypes?: readonly string[]
  /** Response headers worth knowing: name and what it says. */
  headers?: Record<string, string>
}

/** The parsed request a handler gets; a part the contract has no schema for is undefined. */
interface RouteRequest<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  /** The part of another route's answer that this one is read for; absent: it is asked for alone. */
  part?: string
}

/**
 * A read (or unrelayed write) as data: the router mounts it and `/openapi.json` is made from it. The handler gets the
 * parsed request and answers a body (JSON) or a Response (raw bytes).
 */
export interface RouteContract<Params = unknown, Query = unknown, Body = unknown> {
  operationId: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** Path with braces, below `/api` unless `root` is set. */
  path: string
  root?: true
  tag: string
  summary: string
  description?: string
  params?: ZodType<Params>
  query?: ZodType<Query>
  body?: ZodType<Body>
  /** The body is bytes of any type, which the handler reads itself: what they are. Not together with `body`. */
  rawBody?: string
  /** Request headers the route reads: name and what for. */
  headers?: Record<string, string>
  responses: Record<number, ResponseContract>
  /** What a request uses up. Default: `reads` for a GET, else `writes`. */
  rateLimit?: RateLimitName
  /** What input that is wrong is called. Default: `unclassified`. */
  inputReason?: Reason
  /** Error reasons the route can answer with, besides `unclassified`. */
  reasons?: readonly Reason[]
  /** A request without one of these credentials is answered 401. Absent: the route answers anonymous callers. */
  needs?: readonly [Credential, ...Credential[]]
  /** The answer depends on the read-identity headers: it must not be shared between callers. */
  readsCaller?: true
  /** A grant for the task opens it to callers who may not see it otherwise. */
  readsGrant?: true
  /** The answer depends on a device, whose token may come in a header. */
  readsDevice?: true
  /**
   * The answer is JSON made of the URL, the indexer's rows, unchanging texts and the head's time, and of nothing else:
   * it is kept until one of them changes, and caches that many clients share may keep it for a second.
   */
  isOfHead?: true
  /** With `isOfHead`: the handler answers `ReadyJson`, which says itself what it was made of. */
  tellsState?: true
  handler(deps: Deps, request: RouteRequest<Params, Query, Body>, context: Context): Promise<Response | object | null>
}

/** Keeps the types of a route together. */
export function defineRoute<Params, Query, Body>(
  route: RouteContract<Params, Query, Body>,
): RouteContract<Params, Query, Body> {
  return route
}
