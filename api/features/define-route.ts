import type { Context } from 'hono'
import type { ZodType } from 'zod'
import type { Reason } from '../../protocol/reasons.ts'
import type { Deps } from '../deps.ts'
import type { RateLimitName } from '../http/client-rate-limits.ts'
import type { ReadyJson } from '../http/ready-json.ts'

/** The credentials that a route can require: the read-identity headers of a wallet, or the token of a device. */
export type Credential = 'ReadIdentity' | 'DeviceToken'

/** A documented response of a route. A JSON response has `schema`; a response of raw bytes has only `contentType`. */
export interface ResponseContract {
  description: string
  schema?: ZodType
  contentType?: string
  /** The media types that a client may request in `Accept`, in addition to JSON. */
  otherTypes?: readonly string[]
  /** The documented response headers: the meaning of each header by its name. */
  headers?: Record<string, string>
}

/** The parsed request that a handler gets. A field is undefined if the route has no schema for it. */
interface RouteRequest<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  /**
   * The name of a part, such as `submissions`. Set if this route's answer becomes a part of another route's answer.
   * Absent if the client requested this route directly.
   */
  part?: string
}

/**
 * The name of a set of credentials: the credentials of the request that can change the answer (`credentialsOf`).
 * Example: the answer of a route with `viewers` depends on the read identity and on a grant, which lets any caller see
 * a private task.
 */
export type Audience = 'anyone' | 'caller' | 'viewers' | 'device' | 'caller-or-device'

/** A request's credential that can change the answer: the read identity, a grant for a task, or a device token. */
type ReadCredential = 'identity' | 'grant' | 'device'

const credentialsOf: Record<Audience, readonly ReadCredential[]> = {
  anyone: [],
  caller: ['identity'],
  viewers: ['identity', 'grant'],
  device: ['device'],
  'caller-or-device': ['identity', 'device'],
}

/**
 * The audience and the caching of an answer. Only an answer that is the same for every caller can be cached:
 * - `revalidate` (the default): the service does not cache the answer. A browser revalidates the answer by the entity
 *   tag.
 * - `head`: the service caches the JSON answer. The answer depends only on the URL, the indexer's rows, the time of the
 *   latest block, and stored texts that never change. Shared caches may keep the answer for a second.
 * - `stated`: like `head`, but the handler also returns the state of the rows from which it built the answer.
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
 * The description of a route that reads, or that writes without the relayer. The router mounts the route, and
 * `/openapi.json` documents the route. Example: `defineRoute({ operationId: 'getHealth', method: 'get', path:
 * '/health', ... })`.
 */
export type RouteContract<Params = unknown, Query = unknown, Body = unknown> = RouteBase<Params, Query, Body> &
  Sharing<RouteRequest<Params, Query, Body>>

interface RouteBase<Params, Query, Body> {
  operationId: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** The path with its parameters in braces. The path is below `/api` unless `root` is set. */
  path: string
  root?: true
  tag: string
  summary: string
  description?: string
  params?: ZodType<Params>
  query?: ZodType<Query>
  body?: ZodType<Body>
  /** The description of a raw request body, which the handler reads itself. A route has either `rawBody` or `body`. */
  rawBody?: string
  /** The documented request headers: the purpose of each header by its name. */
  headers?: Record<string, string>
  responses: Record<number, ResponseContract>
  /**
   * Returns the answer's entity tag without building the answer. Returns null if this is not possible, or if some
   * callers may not read the answer. The server calls this function before the handler if the client has sent an entity
   * tag.
   */
  findTag?(deps: Deps, request: RouteRequest<Params, Query, Body>, context: Context): Promise<string | null>
  /**
   * Returns true if the server may send one answer to several requests that arrive within a short time. Such an answer
   * must depend only on the URL, the time of the latest block, and database rows whose changes are notified
   * (read-model/row-changes.ts). Only callers without credentials get a shared answer. Routes with `caching` do not
   * need this function.
   */
  isMadeOfRows?(request: RouteRequest<Params, Query, Body>): boolean
  /** The `Cache-Control` header of the route's answers. Absent if the header follows from `audience` and `caching`. */
  cacheControl?: string
  /** The rate limit that a request consumes. The default is `reads` for a GET and `writes` for every other method. */
  rateLimit?: RateLimitName
  /** The error reason of an invalid request. The default is `unclassified`. */
  inputReason?: Reason
  /** The error reasons that the route may answer, in addition to `unclassified`. */
  reasons?: readonly Reason[]
  /**
   * The accepted credentials. A request with none of them gets the status 401. Absent if the route also serves
   * anonymous callers.
   */
  needs?: readonly [Credential, ...Credential[]]
}

/**
 * Returns true if the answers of a route depend on a credential. Example: `readsCredential({ audience: 'viewers' },
 * 'grant')` returns true.
 */
export function readsCredential(
  { audience = 'anyone' }: Pick<RouteContract, 'audience'>,
  name: ReadCredential,
): boolean {
  return credentialsOf[audience].includes(name)
}

/** Returns the route unchanged. The call lets TypeScript infer and check the types of the route's parts. */
export function defineRoute<Params, Query, Body>(
  route: RouteContract<Params, Query, Body>,
): RouteContract<Params, Query, Body> {
  return route
}
