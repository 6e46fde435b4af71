import type { DestinationStream } from 'pino'
import { createAnalytics } from '../../api/analytics/analytics.ts'
import { MARKET_SCHEMA } from '../../api/db/client.ts'
import { openLogins } from '../../scripts/postgres/database-logins.ts'
import { atServer } from '../../scripts/postgres/standby-server.ts'
import { startTestApi, type TestApi } from './api.ts'
import { createCleanups } from './cleanups.ts'
import { type StandbyServers, startStandby } from './standby.ts'

/** A service on rows that answers analysts' SQL, on a standby. Its `stop` ends the servers too. */
export interface ApiWithStandby extends TestApi {
  servers: StandbyServers
  /** The reader's login at the primary, and at the standby. */
  readerUrls: { primary: string; standby: string }
  /** Runs the queries at another login or server. */
  readFrom: (readerUrl: string) => Promise<void>
}

/** Starts a database server with a standby, and a service on them; the parameters are those of `startTestApi`. */
export async function startApiWithStandby(
  environment: Record<string, string> = {},
  logTo?: DestinationStream,
): Promise<ApiWithStandby> {
  const cleanups = createCleanups()
  try {
    const servers = await startStandby()
    cleanups.defer(servers.stop)
    const api = await startTestApi(environment, logTo, servers.primaryUrl)
    cleanups.defer(api.stop)
    const { DATABASE_URL, SQL_QUERY_MS: deadlineMs } = api.deps.config
    const { readerUrl } = await openLogins(DATABASE_URL, { isOwnServer: true })
    if (readerUrl === null) throw new Error('the test server gives out its logins')
    const readerUrls = { primary: readerUrl, standby: atServer(readerUrl, servers.standbyUrl) }
    const readFrom = async (url: string) => {
      await api.deps.analytics.stop()
      api.deps.analytics = createAnalytics({
        readerUrl: url,
        schema: MARKET_SCHEMA,
        deadlineMs,
        metrics: api.deps.observe.metrics,
      })
    }
    await readFrom(readerUrls.standby)
    await servers.replayed()
    return { ...api, servers, readerUrls, readFrom, stop: cleanups.run }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}
