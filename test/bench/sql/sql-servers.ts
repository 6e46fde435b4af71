import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { atServer, startStandbyServer } from '../../../scripts/postgres/standby-server.ts'
import { keepStandby } from '../attack/attack-stack.ts'
import { startRowStack } from '../reads/row-stack.ts'

export interface SqlServers {
  /** Where the Postgres binaries come from. */
  postgres: string
  /** The service. It takes `X-Forwarded-For` for the client. */
  url: string
  /** The reader's login at the standby, on which the service runs SQL. */
  readerUrl: string
  stop(): Promise<void>
}

/** A database with so many tasks, a standby of it, and a service on both. */
export async function startSqlServers(tasks: number, say: (line: string) => void): Promise<SqlServers> {
  const stack = await startRowStack(say)
  try {
    const { serviceUrl, readerUrl } = await openLogins(await stack.createRows({ tasks }), { isOwnServer: true })
    if (readerUrl === null) throw new Error('a server of our own has a reader')
    const standby = await startStandbyServer(stack.postgresUrl)
    stack.beforeStop(standby.stop)
    stack.beforeStop(keepStandby(standby).stop)
    const standbyUrl = atServer(readerUrl, standby.url)
    const environment = { TRUSTED_PROXIES: '127.0.0.1', READER_DATABASE_URL: standbyUrl }
    const url = await stack.startService('api', serviceUrl, environment)
    return { postgres: stack.postgres, url, readerUrl: standbyUrl, stop: stack.stop }
  } catch (error) {
    await stack.stop()
    throw error
  }
}
