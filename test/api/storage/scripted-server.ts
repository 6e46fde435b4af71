import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedServer {
  endpoint: string
  /** `PUT /bucket/artifacts/...`, one for each request that came. */
  seen: string[]
  stop: () => Promise<void>
}

/** A storage service that behaves as a test wants it to, also in ways that no real one does on demand. */
export async function startScriptedServer(
  answer: (request: IncomingMessage, response: ServerResponse, index: number) => void,
): Promise<ScriptedServer> {
  const seen: string[] = []
  const server = createServer((request, response) => answerNext(request, response))
  const answerNext = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`)
    answer(request, response, seen.length - 1)
  }
  // Whether a body is asked for is the script's to say.
  server.on('checkContinue', answerNext)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
