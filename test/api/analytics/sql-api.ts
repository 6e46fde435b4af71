import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { openReader } from '../../support/reader.ts'

/** The service with a reader for analysts' SQL, on one task and the block 77. */
export interface SqlApi extends TestApi {
  taskId: string
  indexerUrl: string
  readerUrl: string
  /** Sends a query and parses the JSON of its answer. */
  ask: (query: string, params?: unknown[], headers?: Record<string, string>) => Promise<Answer>
  /** Sends a query whose answer has the type `accept`. */
  askText: (query: string, accept: string) => Promise<Response>
}

/** A number beyond the exact range of JSON. */
export const largestReward = '79228162514264337593543950335'

/** @param environment settings of api/config.ts, by name */
export async function startSqlApi(environment: Record<string, string> = {}): Promise<SqlApi> {
  const api = await startTestApi(environment)
  const { id: taskId } = await api.seed.task({ requester: anActor().address })
  await api.sql`update task set reward = ${largestReward}`
  await api.sql`insert into indexed_head ${api.sql({
    blockNumber: 77n,
    blockTimestamp: 1_700_000_000n,
    checkpoint: '',
    schemaVersion: 'idx_00000000000000aa',
  })}`
  const { indexerUrl, readerUrl } = await openReader(api)
  return {
    ...api,
    taskId,
    indexerUrl,
    readerUrl,
    ask: (query, params = [], headers = {}) => api.post('/api/sql', { query, params }, headers),
    askText: async (query, accept) =>
      await api.app.request('/api/sql', {
        method: 'POST',
        body: JSON.stringify({ query }),
        headers: { 'Content-Type': 'application/json', Accept: accept },
      }),
  }
}
