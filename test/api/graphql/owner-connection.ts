import postgres from 'postgres'
import { expect } from 'vitest'

/** The database as its owner sees it: makes readers wait, and watches the sessions of GraphQL. */
export interface OwnerConnection {
  sql: postgres.Sql
  /** Makes every reader of a table wait until `unlock`. */
  lock: (table: string) => Promise<void>
  unlock: () => Promise<void>
  /** How many statements of GraphQL wait for a table that is locked. */
  countStatements: () => Promise<number>
  untilStatements: (count: number) => Promise<void>
}

export function openOwnerConnection(url: string): OwnerConnection {
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
    lock: async (table) => {
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
    countStatements,
    untilStatements: async (count) => {
      await expect.poll(countStatements, { interval: 5 }).toBe(count)
    },
  }
}
