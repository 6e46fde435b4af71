import { createAnalytics } from '../../../api/analytics/analytics.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { openReader } from '../../support/reader.ts'
import { type StandbyServers, startStandby } from '../../support/standby.ts'

/** The service with a standby for analysts' SQL, on one task and the block 77. */
export interface SqlApi extends TestApi {
  taskId: string
  servers: StandbyServers
  /** The reader's login at the primary, and at the standby. */
  readerUrls: { primary: string; standby: string }
  /** Sends a query when the standby has replayed all writes, and parses the JSON of its answer. */
  ask: (query: string, params?: unknown[], headers?: Record<string, string>) => Promise<Answer>
  /** Sends a query whose answer has the type `accept`. */
  askText: (query: string, accept: string) => Promise<Response>
  /** Runs the queries at another login or server. */
  readFrom: (readerUrl: string) => Promise<void>
}

/** A number beyond the exact range of JSON. */
export const largestReward = '79228162514264337593543950335'

/** @param environment settings of api/config.ts, by name */
export async function startSqlApi(environment: Record<string, string> = {}): Promise<SqlApi> {
  const cleanups = createCleanups()
  try {
    const servers = await startStandby()
    cleanups.defer(servers.stop)
    const api = await startTestApi(environment, undefined, servers.primaryUrl)
    cleanups.defer(api.stop)
    const { id: taskId } = await api.seed.task({ requester: anActor().address })
    await api.sql`update task set reward = ${largestReward}`
    await api.sql`insert into indexed_head ${api.sql({
      blockNumber: 77n,
      blockTimestamp: 1_700_000_000n,
      checkpoint: '',
      schemaVersion: 'idx_00000000000000aa',
    })}`
    const { readerUrl } = await openReader(api)
    const readerUrls = { primary: readerUrl, standby: atServer(readerUrl, servers.standbyUrl) }
    const readFrom = async (url: string) => {
      const { MARKET_SCHEMA: schema, SQL_QUERY_MS: deadlineMs } = api.deps.config
      await api.deps.analytics.stop()
      api.deps.analytics = createAnalytics({ readerUrl: url, schema, deadlineMs })
    }
    await readFrom(readerUrls.standby)
    return {
      ...api,
      taskId,
      servers,
      readerUrls,
      readFrom,
      ask: async (query, params = [], headers = {}) => {
        await servers.replayed()
        return await api.post('/api/sql', { query, params }, headers)
      },
      askText: async (query, accept) => {
        await servers.replayed()
        return await api.app.request('/api/sql', {
          method: 'POST',
          body: JSON.stringify({ query }),
          headers: { 'Content-Type': 'application/json', Accept: accept },
        })
      },
      stop: cleanups.run,
    }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}
