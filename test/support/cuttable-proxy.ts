import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of one server, whose connections a test can cut. */
export interface CuttableProxy {
  port: number
  /** Ends every connection and refuses new ones, until `mend`. */
  cut(): void
  mend(): void
  /** Forwards no bytes, keeps its connections open and accepts no new one, as a host without power. */
  vanish(): void
  /** Connections that are open to both sides. */
  connectionCount(): number
  stop(): Promise<void>
}

export async function startCuttableProxy(target: { host: string; port: number }): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(target)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      // An end of one side ends the other; a reset is how a cut appears.
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      destroyAll()
    },
    mend: () => {
      isCut = false
    },
    vanish: () => {
      server.close()
      for (const socket of sockets) {
        socket.unpipe()
        socket.removeAllListeners('close')
      }
    },
    connectionCount: () => sockets.size / 2,
    stop: async () => {
      const closed = server.listening ? once(server, 'close') : null
      server.close()
      destroyAll()
      await closed
    },
  }
}
