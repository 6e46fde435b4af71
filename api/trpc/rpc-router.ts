import { type AnyTRPCRouter, initTRPC } from '@trpc/server'
import type { Deps } from '../deps.ts'
import { toServiceError } from '../errors/render-error.ts'
import type { RouteContract } from '../features/define-route.ts'
import { checkUnknownFields } from '../http/handling.ts'
import { parseWith } from '../http/parse.ts'
import { ReadyJson } from '../http/ready-json.ts'
import type { AnyWrite } from '../writes/relayed-write.ts'
import { createRelayCall } from './relay-call.ts'
import { createRouteCall } from './route-call.ts'
import type { RpcContext } from './rpc-context.ts'
import { thrownBehind, toRpcError } from './rpc-error.ts'

/**
 * The procedures of the RPC API. `queries` and `mutations`: routes; the keys are the procedure names. `writes`: the
 * writes that the relayer executes. The procedure of a relayed write has the name of the write's operation.
 */
export interface Procedures {
  queries: Readonly<Record<string, RouteContract>>
  mutations: Readonly<Record<string, RouteContract>>
  writes: readonly AnyWrite[]
}

/**
 * Creates the builder of tRPC procedures. Its error formatter also applies to errors that the library throws before a
 * call has a context.
 */
function createBuilder(publicBaseUrl: string) {
  return initTRPC.context<RpcContext>().create({
    isDev: false,
    errorFormatter: ({ error }) => toRpcError(toServiceError(thrownBehind(error)), publicBaseUrl),
  })
}

type Builder = ReturnType<typeof createBuilder>

/** Creates the tRPC router with all procedures. */
export function createRpcRouter(deps: Deps, { queries, mutations, writes }: Procedures): AnyTRPCRouter {
  const t = createBuilder(deps.config.PUBLIC_BASE_URL)
  return t.router({
    ...Object.fromEntries(Object.entries(queries).map(([name, route]) => [name, toQuery(t, deps, route)])),
    ...Object.fromEntries(Object.entries(mutations).map(([name, route]) => [name, toUnrelayed(t, deps, route)])),
    ...Object.fromEntries(writes.map((write) => [write.operation, toMutation(t, deps, write)])),
  })
}

/** Returns a tRPC query that calls the handler of a REST route and uses the route's schemas. */
function toQuery(t: Builder, deps: Deps, route: RouteContract) {
  return t.procedure
    .use(async ({ ctx, next }) => {
      await ctx.c.get('rateLimits').consume('reads')
      return await next()
    })
    .input((input: unknown) => input ?? {})
    .query(async ({ ctx, input }) => {
      const { inputReason } = route
      checkUnknownFields(ctx.c, { input, schema: route.query ?? route.body, besides: route.params }, inputReason)
      const params = route.params && parseWith(route.params, input, inputReason)
      const query = route.query && parseWith(route.query, toQueryInput(input), inputReason)
      const body = route.body && parseWith(route.body, input, inputReason)
      const answer = await route.handler(deps, { params, query, body }, ctx.c)
      if (answer instanceof Response) throw new Error(`${route.operationId} answers bytes, which no procedure can`)
      return answer instanceof ReadyJson ? JSON.parse(answer.bytes.toString()) : answer
    })
}

/**
 * Returns a mutation that runs a relayed write. The tRPC library gets no input schema, because the mutation reads the
 * body itself under the limits of the write.
 */
function toMutation(t: Builder, deps: Deps, write: AnyWrite) {
  const relay = createRelayCall(deps, write)
  return t.procedure.mutation(({ ctx }) => relay(ctx))
}

/** Returns a mutation that runs a write for which no transaction is sent. */
function toUnrelayed(t: Builder, deps: Deps, route: RouteContract) {
  const call = createRouteCall(deps, route)
  return t.procedure.mutation(({ ctx }) => call(ctx))
}

/**
 * Returns the input of a query in the form of a URL query, so that the schema of the URL query can check it. Numbers
 * and booleans become text. Absent and null fields are left out. All other values are unchanged.
 */
function toQueryInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const presentFields = Object.entries(input).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    presentFields.map(([name, value]) => [name, Array.isArray(value) ? value.map(toText) : toText(value)]),
  )
}

function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}
