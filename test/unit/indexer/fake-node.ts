import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { BlockHeader } from '../../../ops/indexer/heads/block-header.ts'

/** A node that has one newest block, and a socket that tells of it if a test lets it. */
export interface FakeNode {
  rpcUrl: string
  socketUrl: string
  /** Sockets opened until now. */
  opened(): number
  /** Newest block by HTTP. */
  setHead(header: BlockHeader): void
  /** Sends a message to every socket. */
  tell(header: BlockHeader): void
  send(text: string): void
  /** Ends every socket. */
  cut(): void
  stop(): Promise<void>
}

export async function startFakeNode(first: BlockHeader): Promise<FakeNode> {
  let head = first
  let opened = 0
  const http = createServer(async (request, response) => {
    const { id } = JSON.parse(await bodyOf(request))
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: head }))
  })
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 4_096 })
  sockets.on('connection', (socket) => {
    opened += 1
    socket.on('error', () => {})
    socket.on('message', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0xaa' })))
  })
  await Promise.all([once(http.listen(0, '127.0.0.1'), 'listening'), once(sockets, 'listening')])
  const each = (act: (socket: WebSocket) => void) => {
    for (const socket of sockets.clients) act(socket)
  }
  const send = (text: string) => each((socket) => socket.send(text))
  return {
    rpcUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    socketUrl: `ws://127.0.0.1:${sockets.address().port}`,
    opened: () => opened,
    setHead: (header) => {
      head = header
    },
    send,
    tell: (result) =>
      send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0xaa', result } })),
    cut: () => each((socket) => socket.terminate()),
    stop: async () => {
      each((socket) => socket.terminate())
      await new Promise<void>((resolve) => sockets.close(resolve))
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
