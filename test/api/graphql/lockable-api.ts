import { type GraphqlApi, startGraphqlApi } from './graphql-api.ts'
import { type OwnerConnection, openOwnerConnection } from './owner-connection.ts'

/** GraphQL on one task, and its database as the owner sees it. */
export interface LockableApi extends GraphqlApi {
  owner: OwnerConnection
}

/** A query whose answer is `{ data: { tasks: { totalCount: 1 } } }`. */
export const countTasks = '{ tasks { totalCount } }'

export async function startLockableApi(): Promise<LockableApi> {
  const api = await startGraphqlApi()
  const owner = openOwnerConnection(api.rows.deps.config.DATABASE_URL)
  await api.rows.seed.task({ requester: `0x${'aa'.repeat(20)}` })
  return {
    ...api,
    owner,
    stop: async () => {
      await owner.sql.end()
      await api.stop()
    },
  }
}
