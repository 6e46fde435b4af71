import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Database } from '../../../api/db/client.ts'

/** The beginning of every query of an analyst, as the service sends it. */
const BEGINNING = 'DECLARE answer'

/** A way to the database on which the first queries reach a server process that is stopped. */
export interface HeldQueries {
  url: string
  /** Waits until the server processes of all of these queries are stopped. @returns their process ids */
  stopped(): Promise<number[]>
  /** Makes the stopped ones go on. */
  release(): void
  close(): Promise<void>
}

/**
 * Opens the way. The server process is stopped before it gets the query: as in a function that never checks for
 * cancellation, it ignores every signal, however slow the machine is.
 * @param count how many queries are held; those after them pass
 * @param sql a superuser's: it finds the process by its connection
 */
export async function holdQueries(sql: Database, readerUrl: string, count: number): Promise<HeldQueries> {
  const target = new URL(readerUrl)
  const pids: number[] = []
  const sockets = new Set<Socket>()
  let waiting = count
  let tellStopped = () => {}
  const allStopped = new Promise<void>((resolve) => {
    tellStopped = resolve
  })
  const stopProcess = async (port: number | undefined): Promise<void> => {
    const [row] = await sql<{ pid: number }[]>`select pid from pg_stat_activity where client_port = ${port ?? 0}`
    if (row === undefined) throw new Error('the server has no such connection')
    process.kill(row.pid, 'SIGSTOP')
    pids.push(row.pid)
    if (pids.length === count) tellStopped()
  }

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    let sent = ''
    let forwarded = Promise.resolve()
    client.on('data', (chunk) => {
      sent = `${sent.slice(-BEGINNING.length)}${chunk.toString('latin1')}`
      const isHeld = waiting > 0 && sent.includes(BEGINNING)
      if (isHeld) waiting -= 1
      forwarded = forwarded
        .then(() => (isHeld ? stopProcess(upstream.localPort) : undefined))
        .then(() => {
          upstream.write(chunk)
        })
    })
    client.on('end', () => void forwarded.then(() => upstream.end()))
    upstream.pipe(client)
    upstream.on('close', () => client.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(readerUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    stopped: async () => {
      await allStopped
      return [...pids]
    },
    release: () => {
      for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT')
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
