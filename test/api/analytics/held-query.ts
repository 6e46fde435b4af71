import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type postgres from 'postgres'

/** The beginning of every query of an analyst, as the service sends it. */
const BEGINNING = 'DECLARE answer'

/** A way to the database on which the first query reaches a server process that is stopped. */
export interface HeldQuery {
  url: string
  /** Resolves when the server process of the query is stopped. */
  stopped: Promise<void>
  /** Makes the stopped one go on. */
  release(): void
  close(): Promise<void>
}

/**
 * Opens the way. The server process is stopped before it gets the query: as in a function that never checks for
 * cancellation, it ignores every signal, however slow the machine is. Later queries pass.
 * @param sql a superuser's: it finds the process by its connection
 */
export async function holdQuery(sql: postgres.Sql, readerUrl: string): Promise<HeldQuery> {
  const target = new URL(readerUrl)
  const sockets = new Set<Socket>()
  let isWaiting = true
  let stoppedPid: number | null = null
  let tellStopped = () => {}
  const stopped = new Promise<void>((resolve) => {
    tellStopped = resolve
  })
  const stopProcess = async (port: number | undefined): Promise<void> => {
    const [row] = await sql<{ pid: number }[]>`select pid from pg_stat_activity where client_port = ${port ?? 0}`
    if (row === undefined) throw new Error('the server has no such connection')
    process.kill(row.pid, 'SIGSTOP')
    stoppedPid = row.pid
    tellStopped()
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
      const isHeld = isWaiting && sent.includes(BEGINNING)
      if (isHeld) isWaiting = false
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
    stopped,
    release: () => {
      if (stoppedPid !== null) process.kill(stoppedPid, 'SIGCONT')
      stoppedPid = null
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
