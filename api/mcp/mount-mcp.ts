import { hostHeaderValidation } from '@modelcontextprotocol/hono'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { keepPrototypeNames } from '../../mcp/prototype-names.ts'
import type { Deps } from '../deps.ts'
import { recordFailure } from '../errors/render-error.ts'
import type { ServiceError } from '../errors/service-error.ts'
import { readJsonBody } from '../http/bodies/read-json-body.ts'
import { toJsonText } from '../text/json-text.ts'
import { acceptedForm, acceptingBoth, inAcceptedForm } from './accepted-form.ts'
import { type McpOptions, readOptions } from './options.ts'
import type { ReadTool } from './read-tools.ts'
import { createToolServer } from './tool-server.ts'

export const MCP_PATH = '/mcp'
/** Largest request, bytes, and most messages in one. */
const BODY_LIMIT_BYTES = 65_536
const MAX_MESSAGES = 20
/** JSON-RPC: the server refuses the request as a whole. */
const REFUSED = -32_000

/**
 * Serves the tools at `POST /mcp` to clients of the Model Context Protocol, without state: each request has a server of
 * its own. The caller is always anonymous: of its headers none but those of proxies reach a tool. A browser's page may
 * call it from this service's own origin alone, and under its own name alone.
 */
export function mountMcp(app: Hono, deps: Deps, tools: readonly ReadTool[]): void {
  const { PUBLIC_BASE_URL } = deps.config
  app.use(MCP_PATH, hostHeaderValidation(hostnamesOf(PUBLIC_BASE_URL)))
  app.use(MCP_PATH, refuseForeignOrigin(new URL(PUBLIC_BASE_URL).origin))
  app.all(MCP_PATH, async (c) => {
    c.header('Cache-Control', 'no-store')
    const options = readOptions(c)
    if (typeof options === 'string') return refuse(c, 400, options)
    if (c.req.method !== 'POST') return await answer(c, { options })
    let body: unknown
    try {
      body = keepPrototypeNames(await readJsonBody(c, BODY_LIMIT_BYTES))
      if (Array.isArray(body) && body.length > MAX_MESSAGES)
        return refuse(c, 413, `A batch has ${MAX_MESSAGES} messages at most.`)
      await countMessages(c, body)
    } catch (thrown) {
      const failure = recordFailure(c, thrown, deps.log)
      return refuse(c, failure.status, failure.message)
    }
    return await answer(c, { options, parsedBody: body })
  })

  /** What goes wrong inside is either the client's fault, and in its answer, or a fault of the service: then 500. */
  async function answer(
    c: Context,
    { options, parsedBody }: { options: McpOptions; parsedBody?: unknown },
  ): Promise<Response> {
    const failures: Error[] = []
    const calls = [parsedBody].flat().filter(isToolCall).length
    let counted = 0
    const serve = createMcpHandler(
      () =>
        createToolServer(tools, {
          ...options,
          publicBaseUrl: PUBLIC_BASE_URL,
          answerRead: (pathAndQuery) => {
            counted++
            return answerAnonymously(app, c, pathAndQuery)
          },
          countRead: () => {
            counted++
            return c.get('rateLimits').consume('reads')
          },
        }),
      // The library's streams keep in memory what a slow reader does not take; those of /api/events disconnect it.
      { maxSubscriptions: 0, onerror: (error) => failures.push(error) },
    )
    const accepted = acceptedForm(c.req.header('accept'))
    const request = acceptingBoth(c.req.raw)
    const served = await serve.fetch(request, { ...(parsedBody !== undefined && { parsedBody }) })
    const response = await inAcceptedForm(served, accepted)
    const whole = counted < calls ? await readWhole(response) : response
    try {
      // A call that the protocol refuses reaches no tool.
      for (; counted < calls; counted++) await c.get('rateLimits').consume('reads')
    } catch (thrown) {
      const failure = recordFailure(c, thrown, deps.log)
      return refuse(c, failure.status, failure.message)
    }
    if (response.status >= 500) deps.log.error({ requestId: c.get('requestId'), err: failures[0] }, 'request failed')
    return whole
  }
}

/** The response after its end: until then its calls are not made. */
async function readWhole(response: Response): Promise<Response> {
  const text = await response.text()
  return new Response(text === '' ? null : text, response)
}

/** Of a call of a tool, its route counts. */
async function countMessages(c: Context, body: unknown): Promise<void> {
  const messages = Array.isArray(body) ? body : [body]
  for (const message of messages) {
    if (!isToolCall(message)) await c.get('rateLimits').consume('reads')
  }
}

function isToolCall(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'tools/call'
}

/** The service's own answer, to a request that has nothing of this one but its connection and its id. */
async function answerAnonymously(app: Hono, c: Context, pathAndQuery: string): Promise<Response> {
  const headers = new Headers({ Prefer: 'handling=strict', 'X-Request-Id': c.get('requestId') })
  const forwarded = c.req.header('x-forwarded-for')
  if (forwarded !== undefined) headers.set('X-Forwarded-For', forwarded)
  return await app.fetch(
    new Request(new URL(pathAndQuery, 'http://localhost'), { headers, signal: c.req.raw.signal }),
    c.env,
  )
}

/** A refusal of a request as a whole, which has no id to answer. */
function refuse(c: Context, status: ServiceError['status'], message: string): Response {
  const body = { jsonrpc: '2.0', error: { code: REFUSED, message }, id: null }
  return c.body(toJsonText(body), status, { 'Content-Type': 'application/json' })
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The names that this service goes by: on this machine alone, each name of the machine for itself. */
function hostnamesOf(publicBaseUrl: string): string[] {
  const { hostname } = new URL(publicBaseUrl)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}

/**
 * Refuses the pages of other origins. The package's own middleware compares host names alone, for which every port of a
 * machine is the same origin.
 */
function refuseForeignOrigin(ownOrigin: string): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin === undefined || origin === ownOrigin) return await next()
    return c.json(
      { jsonrpc: '2.0', error: { code: -32_000, message: 'Pages of other origins may not call this.' }, id: null },
      403,
    )
  }
}
