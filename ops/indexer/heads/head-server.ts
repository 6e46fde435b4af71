import { once } from 'node:events'
import { type WebSocket, WebSocketServer } from 'ws'
import type { BlockHeader } from './block-header.ts'

/** A local WebSocket server that supports only `eth_subscribe` for new block headers, and `eth_unsubscribe`. */
export interface HeadServer {
  url: string
  /**
   * Sends a block header to every subscriber. A client that subscribes later receives the most recent header at once.
   */
  send(header: BlockHeader): void
  stop(): Promise<void>
}

/** Maximum size of a request, in bytes. An ordinary request has about a hundred bytes. */
const LARGEST_MESSAGE_BYTES = 4_096
const SUBSCRIPTION = '0x1'

export async function startHeadServer(): Promise<HeadServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: LARGEST_MESSAGE_BYTES })
  const subscribers = new Set<WebSocket>()
  let currentMessage: string | null = null

  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('close', () => subscribers.delete(socket))
    socket.on('message', (data) => {
      const { id, method } = parseRequest(data)
      switch (method) {
        case 'eth_subscribe':
          subscribers.add(socket)
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: SUBSCRIPTION }))
          // A halted chain sends no new head, so a new subscriber gets the current one.
          if (currentMessage !== null) socket.send(currentMessage)
          break
        case 'eth_unsubscribe':
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: subscribers.delete(socket) }))
          break
        default:
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } }))
      }
    })
  })
  await once(server, 'listening')
  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    send: (result) => {
      currentMessage = JSON.stringify({
        jsonrpc: '2.0',
        method: 'eth_subscription',
        params: { subscription: SUBSCRIPTION, result },
      })
      for (const subscriber of subscribers) subscriber.send(currentMessage)
    },
    stop: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate()
        server.close(resolve)
      }),
  }
}

function parseRequest(data: Buffer): { id: unknown; method: unknown } {
  try {
    const { id = null, method } = JSON.parse(data.toString('utf8'))
    return { id, method }
  } catch {
    return { id: null, method: null }
  }
}
