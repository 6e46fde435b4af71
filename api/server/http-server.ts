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
import type { App } from './app.ts'
import { refuseConnection } from './refuse-connection.ts'

export interface HttpServerOptions extends ServerOptions {
  hostname: string
  log: Logger
  /**
   * The time limit for receiving a body, in milliseconds. The reader of a body may set a different limit
   * (body-deadline.ts).
   */
  bodyTimeout: number
  /** The base URL of the link `service.docs` in refusals by the server. Absent: the refusals have no link. */
  publicBaseUrl?: string
}

/** The requests that each server is processing. */
const runningAnswers = new WeakMap<Server, Set<Promise<unknown>>>()

/**
 * Creates the HTTP server of an app. Requests that Node or the adapter refuses get an error in the format of the app.
 */
export function createHttpServer(app: Hono & Partial<Pick<App, 'answerKnown'>>, options: HttpServerOptions): Server {
  const { hostname, log, bodyTimeout, publicBaseUrl = null, ...serverOptions } = options
  const refuse = (failure: ServiceError) => toResponse(failure, publicBaseUrl)
  const runningWork = new Set<Promise<unknown>>()
  const answer = async (request: Request, bindings: StreamBindings) => {
    const work = Promise.resolve(app.fetch(request, bindings))
    runningWork.add(work)
    try {
      const response = await work
      return bindings.stream === undefined || !response.ok ? response : startStream(bindings.stream, response, bindings)
    } finally {
      runningWork.delete(work)
    }
  }
  const listen = getRequestListener(
    (request, env) => {
      // The cast is safe: the adapter has no HTTP/2 server here.
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
  const server = createServer({ ...serverOptions, requireHostHeader: false }, (request, response) => {
    const knownAnswer = app.answerKnown?.(request, response) ?? false
    if (knownAnswer === false) return void listen(request, response)
    const work = finishAnswer(knownAnswer, request, response)
    runningWork.add(work)
    void work.finally(() => runningWork.delete(work))
  })
  /**
   * Waits for the attempt to answer the request without the app. If the attempt sent no answer, the app answers the
   * request.
   */
  const finishAnswer = async (knownAnswer: Promise<boolean>, request: IncomingMessage, response: ServerResponse) => {
    const isAnswered = await knownAnswer.catch((error: unknown) => {
      log.error({ err: error }, 'request failed outside the app')
      return response.headersSent
    })
    if (!isAnswered) await listen(request, response)
  }
  runningAnswers.set(server, runningWork)
  // Unknown expectations are ignored; Node alone would answer 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // A client that waits for 100 Continue receives it when its body is read, so a refusal precedes the first byte.
  server.on('checkContinue', (request, response) => {
    const { shouldKeepAlive } = response
    // A refused body may still arrive, so the connection cannot be reused.
    response.shouldKeepAlive = false
    request.once('resume', () => {
      if (response.headersSent) return
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    })
    server.emit('request', request, response)
  })

  const latest = new WeakMap<Duplex, [IncomingMessage, ServerResponse]>()
  // This listener is called before the app's listener.
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

/** Sends the headers of a response at once; `write` then writes the body. */
function startStream(
  write: (out: ServerResponse) => void,
  { headers }: Response,
  { outgoing }: HttpBindings,
): Response {
  outgoing.writeHead(200, Object.fromEntries(headers))
  outgoing.flushHeaders()
  write(outgoing as ServerResponse)
  // Reading the body makes it one of Node's; otherwise the adapter sends another response.
  void RESPONSE_ALREADY_SENT.body
  return RESPONSE_ALREADY_SENT
}

/** Waits until the app has finished every request. Requests of closed connections are included. */
export async function finishedRequests(server: Server): Promise<void> {
  await Promise.allSettled(runningAnswers.get(server) ?? [])
}

/** Returns true if a request of HTTP/1.1 or later has no Host header. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  // Node itself would refuse such a request with an answer that has no body.
  return headers.host === undefined && httpVersion !== '1.0'
}

function malformed(): ServiceError {
  return new ServiceError(400, 'unclassified', 'The request is not valid HTTP.', { detail: 'malformed_request' })
}

function toResponse(failure: ServiceError, publicBaseUrl: string | null): Response {
  const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return Response.json(errorBody(failure, publicBaseUrl), { status: failure.status, headers })
}
