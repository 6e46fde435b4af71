import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { isAskedFor } from './accept.ts'

/** The request and response of Node's HTTP server, with the function that writes the stream of the answer. */
export interface StreamBindings extends HttpBindings {
  /** Writes the body of the answer to the socket until one side disconnects. Absent if the answer is not a stream. */
  stream?: (out: ServerResponse) => void
}

/** Returns true if the request accepts server-sent events, is a GET, and was received by Node's HTTP server. */
export function takesEventStream(c: Context): boolean {
  const isAsked = isAskedFor('text/event-stream', c.req.header('accept'))
  return isAsked && c.req.method === 'GET' && bindingsOf(c)?.outgoing !== undefined
}

/** Returns an answer of server-sent events. After the headers are sent, `write` writes the body of the answer. */
export function eventStream(c: Context, write: (out: ServerResponse) => void): Response {
  const bindings = bindingsOf(c)
  if (bindings === undefined) throw new Error('only a request of the server can be answered with a stream')
  bindings.stream = write
  // `no-store`, because a caching proxy would collect the endless answer.
  return c.body(null, 200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}

function bindingsOf(c: Context): StreamBindings | undefined {
  return c.env as StreamBindings | undefined
}
