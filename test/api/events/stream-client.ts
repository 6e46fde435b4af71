import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { TestApi } from '../../support/api.ts'

/** A message of a stream. */
export interface Message {
  id?: string
  event: string
  data: string
}

/** The service behind Node's own server, and clients that read its streams message by message. */
export async function startStreams(api: TestApi) {
  const open: { controller: AbortController; response?: Response }[] = []
  await api.deps.events.start()
  // A listener that is made first puts the adapter's own Response in the place of Node's: what says "already sent" is then one, too.
  getRequestListener(() => new Response())
  const { createHttpServer } = await import('../../../api/server/http-server.ts')
  const server = createHttpServer(api.app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 60_000 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/events`
  return {
    connect: async (search = '', headers: Record<string, string> = {}) => {
      const controller = new AbortController()
      const entry: (typeof open)[number] = { controller }
      open.push(entry)
      const response = await fetch(`${url}${search}`, {
        headers: { Accept: 'text/event-stream', ...headers },
        signal: controller.signal,
      })
      // A response that nothing refers to any more is collected, and its connection is closed.
      entry.response = response
      const messages = response.ok && response.body !== null ? readMessages(response.body) : null
      return {
        response,
        close: () => controller.abort(),
        /** The next entry, or message of the action queue; undefined: the stream has ended. */
        next: async (): Promise<Message | undefined> => {
          for (;;) {
            const step = await messages?.next()
            if (step === undefined || step.done) return undefined
            if (step.value.event !== 'position') return step.value
          }
        },
      }
    },
    /** Leaves all streams. */
    closeAll: () => {
      for (const { controller } of open.splice(0)) controller.abort()
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
      if (fields.data !== undefined) yield fields as Message
    }
  }
}
