import { createMcpHandler, validateHostHeader } from '@modelcontextprotocol/server'
import type { Context, Hono } from 'hono'
import { keepPrototypeNames } from '../../mcp/prototype-names.ts'
import type { Deps } from '../deps.ts'
import { errorBody, recordFailure } from '../errors/render-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { readJsonBody } from '../http/bodies/read-json-body.ts'
import { toJsonText } from '../text/json-text.ts'
import { acceptedForm, acceptingBoth, inAcceptedForm } from './accepted-form.ts'
import { type McpOptions, readOptions } from './options.ts'
import type { ReadTool } from './read-tools.ts'
import { createToolServer } from './tool-server.ts'

export const MCP_PATH = '/mcp'
/** The largest size of a request body, in bytes. */
const BODY_LIMIT_BYTES = 65_536
/** The largest number of JSON-RPC messages in one request. */
const MAX_MESSAGES = 20
/** The JSON-RPC error code of a request that is refused before any message is handled. */
const REFUSED = -32_000

/**
 * Serves the tools at `POST /mcp` to clients of the Model Context Protocol. Each request gets a new server without
 * stored state. No credential is passed to a tool, so the caller is always anonymous. A browser page may call the
 * endpoint only from the service's origin and host name.
 */
export function mountMcp(app: Hono, deps: Deps, tools: readonly ReadTool[]): void {
  const { PUBLIC_BASE_URL } = deps.config
  /** Returns the answer to a refused request. The answer has no message id, because no message was handled. */
  const refuse = (c: Context, error: unknown): Response => {
    const failure = recordFailure(c, error, deps.log)
    const { error: message, ...data } = errorBody(failure, PUBLIC_BASE_URL)
    const body = { jsonrpc: '2.0', error: { code: REFUSED, message, data }, id: null }
    return c.body(toJsonText(body), failure.status, { 'Content-Type': 'application/json' })
  }
  const hostnames = hostnamesOf(PUBLIC_BASE_URL)
  const { origin } = new URL(PUBLIC_BASE_URL)
  app.all(MCP_PATH, async (c) => {
    c.header('Cache-Control', 'no-store')
    let options: McpOptions
    let body: unknown
    try {
      refuseOtherNames(c, hostnames)
      refuseForeignOrigin(c, origin)
      options = readOptions(c)
      if (c.req.method !== 'POST') return await answer(c, { options })
      body = keepPrototypeNames(await readJsonBody(c, BODY_LIMIT_BYTES))
      if (Array.isArray(body) && body.length > MAX_MESSAGES) throw tooManyMessages()
      await countMessages(c, body)
    } catch (error) {
      return refuse(c, error)
    }
    return await answer(c, { options, parsedBody: body })
  })

  /** Answers a request through the MCP library. If the status is 500 or more, the error of the library is logged. */
  async function answer(
    c: Context,
    { options, parsedBody }: { options: McpOptions; parsedBody?: unknown },
  ): Promise<Response> {
    const failures: Error[] = []
    const calls = [parsedBody].flat().filter(isToolCall).length
    let countedCalls = 0
    const serve = createMcpHandler(
      () =>
        createToolServer(tools, {
          ...options,
          publicBaseUrl: PUBLIC_BASE_URL,
          answerRead: (pathAndQuery) => {
            countedCalls++
            return answerAnonymously(app, c, pathAndQuery)
          },
          countRead: () => {
            countedCalls++
            return c.get('rateLimits').consume('reads')
          },
        }),
      // The library's streams buffer without limit for a slow reader; those of /api/events disconnect it.
      { maxSubscriptions: 0, onerror: (error) => failures.push(error) },
    )
    const form = acceptedForm(c.req.header('accept'))
    const request = acceptingBoth(c.req.raw)
    const toolResponse = await serve.fetch(request, { ...(parsedBody !== undefined && { parsedBody }) })
    const response = await inAcceptedForm(toolResponse, form)
    const wholeResponse = countedCalls < calls ? await readWhole(response) : response
    try {
      // A call that the protocol refuses reaches no tool.
      for (; countedCalls < calls; countedCalls++) await c.get('rateLimits').consume('reads')
    } catch (error) {
      return refuse(c, error)
    }
    if (response.status >= 500) deps.log.error({ requestId: c.get('requestId'), err: failures[0] }, 'request failed')
    return wholeResponse
  }
}

/** Reads a response to its end. All tool calls of the request have run when the promise resolves. */
async function readWhole(response: Response): Promise<Response> {
  const text = await response.text()
  return new Response(text === '' ? null : text, response)
}

/**
 * Counts each JSON-RPC message in the rate limit, except tool calls. A tool call is counted by the route that the tool
 * calls.
 */
async function countMessages(c: Context, body: unknown): Promise<void> {
  const messages = Array.isArray(body) ? body : [body]
  for (const message of messages) {
    if (!isToolCall(message)) await c.get('rateLimits').consume('reads')
  }
}

function isToolCall(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'tools/call'
}

/**
 * Sends a GET request to the app as an anonymous caller. The request has the network address and the request id of the
 * MCP client's request.
 */
async function answerAnonymously(app: Hono, c: Context, pathAndQuery: string): Promise<Response> {
  const headers = new Headers({ Prefer: 'handling=strict', 'X-Request-Id': c.get('requestId') })
  const forwardedAddresses = c.req.header('x-forwarded-for')
  if (forwardedAddresses !== undefined) headers.set('X-Forwarded-For', forwardedAddresses)
  return await app.fetch(
    new Request(new URL(pathAndQuery, 'http://localhost'), { headers, signal: c.req.raw.signal }),
    c.env,
  )
}

function tooManyMessages(): ServiceError {
  return new ServiceError(413, 'unclassified', `A batch has ${MAX_MESSAGES} messages at most.`, {
    detail: 'body_too_large',
  })
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns the host names of the service: the host of the public URL. If this host is a loopback name, all loopback
 * names are returned.
 */
function hostnamesOf(publicBaseUrl: string): string[] {
  const { hostname } = new URL(publicBaseUrl)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}

/** Refuses a request if its `Host` header does not name the service. */
function refuseOtherNames(c: Context, hostnames: string[]): void {
  const result = validateHostHeader(c.req.header('host'), hostnames)
  if (!result.ok) throw new ServiceError(403, 'unclassified', result.message, { detail: 'foreign_origin' })
}

/**
 * Refuses a request from a web page with an origin that differs from the service's origin. A page on another port has
 * another origin.
 */
function refuseForeignOrigin(c: Context, ownOrigin: string): void {
  const origin = c.req.header('origin')
  if (origin === undefined || origin === ownOrigin) return
  throw new ServiceError(403, 'unclassified', 'Pages of other origins may not call this.', { detail: 'foreign_origin' })
}
