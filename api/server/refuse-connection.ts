import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Detail } from '../../protocol/details.ts'
import { errorBody } from '../errors/render-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { toJsonText } from '../text/json-text.ts'

interface ConnectionRefusal {
  status: number
  sentence: string
  detail: Detail
}

/** The refusal for each error code of Node. An invalid request with another error code is refused with 400. */
const refusals: Record<string, ConnectionRefusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    sentence: 'The headers of the request are too large.',
    detail: 'headers_too_large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    sentence: 'The chunk extensions of the body are too large.',
    detail: 'body_too_large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    sentence: 'The request took too long to arrive; nothing was done.',
    detail: 'body_too_slow',
  },
}
const malformedRefusal: ConnectionRefusal = {
  status: 400,
  sentence: 'The request is not valid HTTP.',
  detail: 'malformed_request',
}

/**
 * A connection to be refused. `latest`: the newest request on the connection with its response, if the connection has a
 * request.
 */
interface RefusedConnection {
  errorCode: string | undefined
  latest: [IncomingMessage, ServerResponse] | null
  publicBaseUrl: string | null
}

/**
 * Refuses a connection with an invalid or late request: sends an error and ends the connection. If an earlier request
 * still has no complete answer, the connection is closed without an error.
 */
export function refuseConnection(socket: Duplex, { errorCode, latest, publicBaseUrl }: RefusedConnection): void {
  if (errorCode === 'ECONNRESET' || !socket.writable || isBeingAnswered(latest)) {
    socket.destroy()
    return
  }
  const { status, sentence, detail } = refusals[errorCode ?? ''] ?? malformedRefusal
  // Connection errors have no class of their own: they are bad requests.
  const body = toJsonText(errorBody(new ServiceError(400, 'unclassified', sentence, { detail }), publicBaseUrl))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function isBeingAnswered(latest: [IncomingMessage, ServerResponse] | null): boolean {
  if (latest === null) return false
  const [request, response] = latest
  return !response.writableFinished && (request.complete || response.headersSent)
}
