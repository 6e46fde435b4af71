import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every kind.
  message: any
}

/** Answers a request of a receiver. */
type Answer = (received: Received, response: ServerResponse) => void

/** A receiver of webhooks at a URL of this machine. */
export interface Receiver {
  url: string
  /** All requests, in the order in which they came. */
  received: Received[]
  /** The next request that was not taken. */
  next(): Promise<Received>
  /** Answers requests from now on by this. */
  answerBy(answer: Answer): void
  /** Begins anew with no request. */
  forget(): void
  /** Requests that are under way, the most at one time. */
  mostAtOnce(): number
  stop(): Promise<void>
}

/** Answers 200, and a test with its challenge. */
export const accept: Answer = ({ message }, response) => {
  response.end(message.kind === 'test' ? JSON.stringify({ challenge: message.challenge }) : '')
}

/** Answers a test with its challenge, and everything else with a status. */
export const refuseBy =
  (status: number): Answer =>
  (received, response) => {
    if (received.message.kind === 'test') accept(received, response)
    else response.writeHead(status).end()
  }

/** Starts a receiver that accepts. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  let [taken, now, most] = [0, 0, 0]
  let answer = accept
  const server = createServer((request, response) => {
    now += 1
    most = Math.max(most, now)
    response.once('close', () => {
      now -= 1
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { headers: request.headers, body, message: JSON.parse(body) }
      received.push(one)
      waiting.shift()?.()
      answer(one, response)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook?of=me`,
    received,
    next: async () => {
      if (taken === received.length) await new Promise<void>((resolve) => waiting.push(resolve))
      const one = received[taken]
      taken += 1
      if (one === undefined) throw new Error('a request was counted that did not come')
      return one
    },
    answerBy: (by) => {
      answer = by
    },
    forget: () => {
      received.length = 0
      taken = 0
    },
    mostAtOnce: () => most,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
