import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { isAskedFor } from './accept.ts'

/** The request and response of Node's server, with what the app asks of it. */
export interface StreamBindings extends HttpBindings {
  /** Writes the body of the response to the socket itself, for as long as both sides want: no stream of ours lies in between. */
  stream?: (out: ServerResponse) => void
}

/** Says whether the request can be answered with server-sent events: it asks for them, and Node's own server has it. */
export function takesEventStream(c: Context): boolean {
  const isAsked = isAskedFor('text/event-stream', c.req.header('accept'))
  return isAsked && c.req.method === 'GET' && bindingsOf(c)?.outgoing !== undefined
}

/** The answer whose body `write` writes, once its headers are sent. */
export function eventStream(c: Context, write: (out: ServerResponse) => void): Response {
  const bindings = bindingsOf(c)
  if (bindings === undefined) throw new Error('only a request of the server can be answered with a stream')
  bindings.stream = write
  // A proxy that collects an answer would keep it for ever.
  return c.body(null, 200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}

function bindingsOf(c: Context): StreamBindings | undefined {
  return c.env as StreamBindings | undefined
}
