/** Types for the part of the package `ws` that the feed of block headers uses. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events'

  export class WebSocket extends EventEmitter<{
    open: []
    message: [data: Buffer]
    close: []
    error: [error: Error]
  }> {
    constructor(url: string, options: { handshakeTimeout: number; maxPayload: number })
    send(text: string): void
    /** Closes the connection at once, without a closing handshake. A dead peer would not answer a handshake. */
    terminate(): void
  }

  export class WebSocketServer extends EventEmitter<{
    listening: []
    connection: [socket: WebSocket]
    error: [error: Error]
  }> {
    constructor(options: { host: string; port: number; maxPayload: number })
    readonly clients: ReadonlySet<WebSocket>
    address(): { port: number }
    close(done: () => void): void
  }
}
