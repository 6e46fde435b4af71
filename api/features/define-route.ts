import type { Context } from 'hono'
import type { ZodType } from 'zod'
import type { Reason } from '../../protocol/reasons.ts'
import type { Deps } from '../deps.ts'
import type { RateLimitName } from '../http/client-rate-limits.ts'
import type { ReadyJson } from '../http/ready-json.ts'

/** The credentials that a route can require: the read-identity headers of a wallet, or the token of a device. */
export type Credential = 'ReadIdentity' | 'DeviceToken'

/** A response of a route. `schema` for JSON; `contentType` alone for raw bytes. */
export interface ResponseContract {
  description: string
  schema?: ZodType
  contentType?: string
  /** The media types besides JSON that the client may request. */
  otherTypes?: readonly string[]
  /** The documented response headers: name and meaning. */
  headers?: Record<string, string>
}

/** The parsed request of a handler; a part without a schema is undefined. */
interface RouteRequest<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  /** The part of another route's answer that this one is read for; absent: a request of its own. */
  part?: string
}

/**
 * The inputs of an answer besides the URL. `viewers`: a grant opens a private task to callers who may not see it
 * otherwise.
 */
export type Audience = 'anyone' | 'caller' | 'viewers' | 'device' | 'caller-or-device'

/** A request credential that an answer may depend on: the read identity, a grant for a task, a device token. */
type ReadCredential = 'identity' | 'grant' | 'device'

const credentialsOf: Record<Audience, readonly ReadCredential[]> = {
  anyone: [],
  caller: ['identity'],
  viewers: ['identity', 'grant'],
  device: ['device'],
  'caller-or-device': ['identity', 'device'],
}

/**
 * The audience of an answer and its caching. Only an answer for anyone is cached:
 * - `revalidate` (the default): not at all; a browser revalidates by the entity tag;
 * - `head`: JSON that depends on the URL, the indexer's rows, unchanging texts and the head's time only. It is cached
 * until one of them changes, and shared caches may keep it for a second;
 * - `stated`: like `head`, and the answer itself states its inputs.
 */
type Sharing<Request> =
  | {
      audience?: Audience
      caching?: 'revalidate'
      // Methods, because a list of routes has requests of any type.
      handler(deps: Deps, request: Request, context: Context): Promise<Response | object | null>
    }
  | { audience?: 'anyone'; caching: 'head'; handler(deps: Deps, request: Request): Promise<object> }
  | { audience?: 'anyone'; caching: 'stated'; handler(deps: Deps, request: Request): Promise<ReadyJson> }

/**
 * A read (or unrelayed write) as data: the router mounts it, and `/openapi.json` describes it. The handler receives the
 * parsed request and returns a body (JSON) or a Response (raw bytes). Example: `defineRoute({ operationId: 'getHealth',
 * method: 'get', path: '/health', ... })`.
 */
export type RouteContract<Params = unknown, Query = unknown, Body = unknown> = RouteBase<Params, Query, Body> &
  Sharing<RouteRequest<Params, Query, Body>>

interface RouteBase<Params, Query, Body> {
  operationId: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** The path with braces, below `/api` unless `root` is set. */
  path: string
  root?: true
  tag: string
  summary: string
  description?: string
  params?: ZodType<Params>
  query?: ZodType<Query>
  body?: ZodType<Body>
  /** The description of a body of any bytes, which the handler reads itself. Not together with `body`. */
  rawBody?: string
  /** The request headers of the route: name and purpose. */
  headers?: Record<string, string>
  responses: Record<number, ResponseContract>
  /**
   * Returns the entity tag of the answer if it is known without building it and the caller may have it, or null. A
   * conditional request calls it first.
   */
  findTag?(deps: Deps, request: RouteRequest<Params, Query, Body>, context: Context): Promise<string | null>
  /**
   * Returns true if the answer to a caller without credentials depends on the URL, the indexer's rows, rows with
   * notified changes (read-model/row-changes.ts) and the head's time, so that it is equal for a moment. Routes with
   * `caching` need not declare it.
   */
  isMadeOfRows?(request: RouteRequest<Params, Query, Body>): boolean
  /** The `Cache-Control` of its answers, unless it follows from `audience` and `caching`. */
  cacheControl?: string
  /** The rate limit that a request consumes. Default: `reads` for a GET, else `writes`. */
  rateLimit?: RateLimitName
  /** The reason of invalid input. Default: `unclassified`. */
  inputReason?: Reason
  /** The error reasons of the route, besides `unclassified`. */
  reasons?: readonly Reason[]
  /** The credentials of which a request needs one, or it gets 401. Absent: anonymous callers are served. */
  needs?: readonly [Credential, ...Credential[]]
}

/** Returns true if the answers of a route depend on a credential. Example: `getTask` reads the grant for its task. */
export function readsCredential(
  { audience = 'anyone' }: Pick<RouteContract, 'audience'>,
  name: ReadCredential,
): boolean {
  return credentialsOf[audience].includes(name)
}

/** Returns the route with the types of its parts checked against each other. */
export function defineRoute<Params, Query, Body>(
  route: RouteContract<Params, Query, Body>,
): RouteContract<Params, Query, Body> {
  return route
}
