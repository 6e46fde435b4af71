import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { startRowStack } from '../reads/row-stack.ts'

export interface SqlServers {
  /** Where the Postgres binaries come from. */
  postgres: string
  /** The service. It takes `X-Forwarded-For` for the client. */
  url: string
  /** The reader's login. */
  readerUrl: string
  stop(): Promise<void>
}

/** A database with so many tasks, its three logins, and a service on it. */
export async function startSqlServers(tasks: number, say: (line: string) => void): Promise<SqlServers> {
  const stack = await startRowStack(say)
  try {
    const { serviceUrl, readerUrl } = await openLogins(await stack.createRows({ tasks }), { isOwnServer: true })
    if (readerUrl === null) throw new Error('a server of our own has a reader')
    const environment = { TRUSTED_PROXIES: '127.0.0.1', READER_DATABASE_URL: readerUrl }
    const url = await stack.startService('api', serviceUrl, environment)
    return { postgres: stack.postgres, url, readerUrl, stop: stack.stop }
  } catch (error) {
    await stack.stop()
    throw error
  }
}
