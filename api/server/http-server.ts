import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { errorBody } from '../errors/render-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { watchBody } from '../http/bodies/body-deadline.ts'
import type { StreamBindings } from '../http/stream-response.ts'
import { refuseConnection } from './refuse-connection.ts'

export interface HttpServerOptions extends ServerOptions {
  hostname: string
  log: Logger
  /** By when a body must have come, milliseconds, unless its reader keeps watch over it (body-deadline.ts). */
  bodyTimeout: number
  /** The origin of `service.docs` in refusals that the app never sees; left out, they have no link. */
  publicBaseUrl?: string
}

/** What each server's app is at work on. */
const atWork = new WeakMap<Server, Set<Promise<unknown>>>()

/**
 * The HTTP server of an app. What Node or the adapter refuses before the app sees it is refused in the one layout of
 * errors too.
 */
export function createHttpServer(app: Hono, options: HttpServerOptions): Server {
  const { hostname, log, bodyTimeout, publicBaseUrl = null, ...serverOptions } = options
  const refuse = (failure: ServiceError) => toResponse(failure, publicBaseUrl)
  const working = new Set<Promise<unknown>>()
  const answer = async (request: Request, bindings: StreamBindings) => {
    const work = Promise.resolve(app.fetch(request, bindings))
    working.add(work)
    try {
      const response = await work
      return bindings.stream === undefined || !response.ok ? response : startStream(bindings.stream, response, bindings)
    } finally {
      working.delete(work)
    }
  }
  const listener = getRequestListener(
    (request, env) => {
      // The adapter has no HTTP/2 server here.
      const bindings = env as HttpBindings
      return lacksHost(bindings.incoming) ? refuse(malformed()) : answer(request, bindings)
    },
    {
      hostname,
      errorHandler: (error) => {
        if (error instanceof RequestError) return refuse(malformed())
        log.error({ err: error }, 'request failed outside the app')
        return refuse(
          new ServiceError(500, 'unclassified', 'The service failed to handle the request.', {
            detail: 'internal_error',
          }),
        )
      },
    },
  )
  const server = createServer({ ...serverOptions, requireHostHeader: false }, listener)
  atWork.set(server, working)
  // An unknown expectation may be ignored; Node would answer 417 and nothing else.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // A client that waits for 100 Continue gets it when its body is read: a refusal comes before a byte was sent.
  server.on('checkContinue', (request, response) => {
    const { shouldKeepAlive } = response
    // A refused body may still come: the connection has no other use.
    response.shouldKeepAlive = false
    request.once('resume', () => {
      if (response.headersSent) return
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    })
    server.emit('request', request, response)
  })

  const latest = new WeakMap<Duplex, [IncomingMessage, ServerResponse]>()
  // Before the app hears of it.
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, [request, response])
    const onLate = () =>
      refuseConnection(request.socket, {
        errorCode: 'ERR_HTTP_REQUEST_TIMEOUT',
        latest: [request, response],
        publicBaseUrl,
      })
    watchBody(request, { milliseconds: bodyTimeout, onLate })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseConnection(socket, { errorCode: error.code, latest: latest.get(socket) ?? null, publicBaseUrl })
  })
  return server
}

/** Sends the headers of a response at once, and leaves its body to what writes it. */
function startStream(
  write: (out: ServerResponse) => void,
  { headers }: Response,
  { outgoing }: HttpBindings,
): Response {
  outgoing.writeHead(200, Object.fromEntries(headers))
  outgoing.flushHeaders()
  write(outgoing as ServerResponse)
  // Its body is read, so that it is one of Node's: the adapter sends another one whatever it says.
  void RESPONSE_ALREADY_SENT.body
  return RESPONSE_ALREADY_SENT
}

/** Resolves when the app is done with every request it was given, those whose connection is gone included. */
export async function finishedRequests(server: Server): Promise<void> {
  await Promise.allSettled(atWork.get(server) ?? [])
}

/** Since HTTP/1.1 a request names its host. Node would refuse one that does not with an empty answer. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0'
}

function malformed(): ServiceError {
  return new ServiceError(400, 'unclassified', 'The request is not valid HTTP.', { detail: 'malformed_request' })
}

function toResponse(failure: ServiceError, publicBaseUrl: string | null): Response {
  const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return Response.json(errorBody(failure, publicBaseUrl), { status: failure.status, headers })
}
