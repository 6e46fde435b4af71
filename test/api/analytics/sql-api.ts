import { anActor } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { type ApiWithStandby, startApiWithStandby } from '../../support/api-with-standby.ts'

/** The service with a standby for analysts' SQL, on one task and the block 77. */
export interface SqlApi extends ApiWithStandby {
  taskId: string
  /** Sends a query when the standby has replayed all writes, and parses the JSON of its answer. */
  ask: (query: string, params?: unknown[], headers?: Record<string, string>) => Promise<Answer>
  /** Sends a query whose answer has the type `accept`. */
  askText: (query: string, accept: string) => Promise<Response>
}

/** A number beyond the exact range of JSON. */
export const largestReward = '79228162514264337593543950335'

/** @param environment settings of settings/table.ts, by name */
export async function startSqlApi(environment: Record<string, string> = {}): Promise<SqlApi> {
  const api = await startApiWithStandby(environment)
  const { servers } = api
  const { id: taskId } = await api.seed.task({ requester: anActor().address })
  await api.sql`update task set reward = ${largestReward}`
  await api.sql`insert into indexed_head ${api.sql({
    blockNumber: 77n,
    blockTimestamp: 1_700_000_000n,
    checkpoint: '',
    schemaVersion: 'idx_00000000000000aa',
  })}`
  return {
    ...api,
    taskId,
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
  }
}
