import type { Context } from 'hono'
import type { ZodType } from 'zod'
import type { Reason } from '../../protocol/reasons.ts'
import type { Deps } from '../deps.ts'
import type { RateLimitName } from '../http/client-rate-limits.ts'
import type { ReadyJson } from '../http/ready-json.ts'

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

/** What an answer depends on beside the URL: of `viewers`, a grant opens a private task to callers who may not see it otherwise. */
export type Audience = 'anyone' | 'caller' | 'viewers' | 'device' | 'caller-or-device'

/** A credential in request headers that an answer may depend on: the read identity, a grant for a task, a device token. */
type ReadCredential = 'identity' | 'grant' | 'device'

const credentialsOf: Record<Audience, readonly ReadCredential[]> = {
  anyone: [],
  caller: ['identity'],
  viewers: ['identity', 'grant'],
  device: ['device'],
  'caller-or-device': ['identity', 'device'],
}

/**
 * Who is answered alike, and how long an answer may be kept. Only an answer for anyone is kept:
 * - `revalidate` (the default): not at all; a browser asks again with the entity tag;
 * - `head`: JSON made of the URL, the indexer's rows, unchanging texts and the head's time, and of nothing else. It is kept
 *   until one of them changes, and caches that many clients share may keep it for a second;
 * - `stated`: the same, and the answer itself states what it was made of.
 */
type Sharing<Request> =
  | {
      audience?: Audience
      caching?: 'revalidate'
      // Methods: a list of routes is of requests of any kind.
      handler(deps: Deps, request: Request, context: Context): Promise<Response | object | null>
    }
  | { audience?: 'anyone'; caching: 'head'; handler(deps: Deps, request: Request, context: Context): Promise<object> }
  | {
      audience?: 'anyone'
      caching: 'stated'
      handler(deps: Deps, request: Request, context: Context): Promise<ReadyJson>
    }

/**
 * A read (or unrelayed write) as data: the router mounts it and `/openapi.json` is made from it. The handler gets the
 * parsed request and answers a body (JSON) or a Response (raw bytes).
 */
export type RouteContract<Params = unknown, Query = unknown, Body = unknown> = RouteBase<Params, Query, Body> &
  Sharing<RouteRequest<Params, Query, Body>>

interface RouteBase<Params, Query, Body> {
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
  /**
   * The entity tag of the answer, where it is known without making it and the caller may have the answer; null: not known.
   * A request with a condition is asked about first.
   */
  findTag?(deps: Deps, request: RouteRequest<Params, Query, Body>, context: Context): Promise<string | null>
  /**
   * Says that the answer to a caller without credentials is made of the URL, the indexer's rows, rows whose changes a process is told
   * of (read-model/row-changes.ts) and the head's time: within a moment it is the same. Routes with `caching` need not say it.
   */
  isMadeOfRows?(request: RouteRequest<Params, Query, Body>): boolean
  /** The `Cache-Control` of its answers, unless it follows from `audience` and `caching`. */
  cacheControl?: string
  /** What a request uses up. Default: `reads` for a GET, else `writes`. */
  rateLimit?: RateLimitName
  /** What input that is wrong is called. Default: `unclassified`. */
  inputReason?: Reason
  /** Error reasons the route can answer with, besides `unclassified`. */
  reasons?: readonly Reason[]
  /** A request without one of these credentials is answered 401. Absent: the route answers anonymous callers. */
  needs?: readonly [Credential, ...Credential[]]
}

/** Says whether the answers of a route depend on a credential. Example: `getTask` reads the grant for its task. */
export function readsCredential(
  { audience = 'anyone' }: Pick<RouteContract, 'audience'>,
  name: ReadCredential,
): boolean {
  return credentialsOf[audience].includes(name)
}

/** Keeps the types of a route together. */
export function defineRoute<Params, Query, Body>(
  route: RouteContract<Params, Query, Body>,
): RouteContract<Params, Query, Body> {
  return route
}
