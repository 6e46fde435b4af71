import { createServer } from 'node:net'

/** Returns a free TCP port of 127.0.0.1. */
export function findFreePort(): Promise<number> {
  return listenOnce(0)
}

/** Returns `preferredPort` if that port is free, or else any free port. */
export async function preferPort(preferredPort: number): Promise<number> {
  try {
    return await listenOnce(preferredPort)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) {
      return findFreePort()
    }
    throw error
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      const boundPort = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(boundPort))
    })
  })
}
