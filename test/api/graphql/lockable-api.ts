import postgres from 'postgres'
import { expect } from 'vitest'
import { type GraphqlApi, startGraphqlApi } from './graphql-api.ts'

/** The database as its owner sees it: makes readers wait, and watches the sessions of GraphQL. */
type OwnerConnection = ReturnType<typeof openOwnerConnection>

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

function openOwnerConnection(url: string) {
  const sql = postgres(url, { max: 4, onnotice: () => {} })
  let locking: postgres.ReservedSql | null = null
  const countStatements = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where application_name = 'task-market-graphql' and datname = current_database()
        and wait_event_type = 'Lock'`
    return row?.count ?? 0
  }
  return {
    sql,
    /** Makes every reader of a table wait until `unlock`. */
    lock: async (table: string) => {
      locking = await sql.reserve()
      await locking`begin`
      await locking`lock table market.${sql(table)} in access exclusive mode`
    },
    unlock: async () => {
      if (locking === null) return
      await locking`rollback`
      locking.release()
      locking = null
    },
    /** How many statements of GraphQL wait for a table that is locked. */
    countStatements,
    untilStatements: async (count: number) => {
      await expect.poll(countStatements, { interval: 5 }).toBe(count)
    },
  }
}
