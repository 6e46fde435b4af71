import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { errorBody } from './errors.ts'
import { refuseConnection } from './refuse-connection.ts'
import { ServiceError } from './service-error.ts'

/**
 * The HTTP server of an app. What Node or the adapter refuses before the app sees it is refused in the one layout of
 * errors too.
 */
export function createHttpServer(
  app: Hono,
  { hostname, log, ...serverOptions }: ServerOptions & { hostname: string; log: Logger },
): Server {
  const listener = getRequestListener(
    (request, env) => {
      // The adapter has no HTTP/2 server here.
      const bindings = env as HttpBindings
      return lacksHost(bindings.incoming) ? malformed() : app.fetch(request, bindings)
    },
    {
      hostname,
      errorHandler: (error) => {
        if (error instanceof RequestError) return malformed()
        log.error({ err: error }, 'request failed outside the app')
        return toResponse(new ServiceError(500, 'unclassified', 'The service failed to handle the request.'))
      },
    },
  )
  const server = createServer({ ...serverOptions, requireHostHeader: false }, listener)
  // An expectation nobody knows may be ignored; Node would answer 417 and nothing else.
  server.on('checkExpectation', listener)

  const latest = new WeakMap<Duplex, [IncomingMessage, ServerResponse]>()
  server.on('request', (request, response) => latest.set(request.socket, [request, response]))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseConnection(socket, { errorCode: error.code, latest: latest.get(socket) ?? null })
  })
  return server
}

/** Since HTTP/1.1 a request names its host. Node would refuse one that does not with an empty answer. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0'
}

function malformed(): Response {
  return toResponse(new ServiceError(400, 'unclassified', 'The request is not valid HTTP.'))
}

function toResponse(failure: ServiceError): Response {
  const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return Response.json(errorBody(failure), { status: failure.status, headers })
}
