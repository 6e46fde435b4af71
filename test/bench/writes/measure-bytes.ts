import postgres from 'postgres'

/** Bytes in tables with their indexes. */
export interface BytesResult {
  writes: number
  /** What a relayed write leaves in the service's tables: the intent, its signed bytes, its texts. */
  servicePerWrite: number
  /** What an event of a task leaves in the history that is served. */
  historyPerEvent: number
}

/** Reads sizes of tables, and of how many writes and events they are. */
export async function measureBytes(databaseUrl: string): Promise<BytesResult> {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    const sizeOf = async (condition: postgres.PendingQuery<postgres.Row[]>): Promise<number> => {
      const [found] = await sql<{ bytes: number | null }[]>`
        select sum(pg_total_relation_size(c.oid))::float8 as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and ${condition}`
      return found?.bytes ?? 0
    }
    const [counted] = await sql<{ writes: number; events: number }[]>`
      select (select count(*) from service.intents where status = 'completed')::float8 as writes,
        (select count(*) from market.task_event)::float8 as events`
    if (counted === undefined) throw new Error('a select without a table has one row')
    const service = await sizeOf(sql`n.nspname = 'service'`)
    const history = await sizeOf(sql`n.nspname like 'idx%' and c.relname = 'task_event'`)
    return {
      writes: counted.writes,
      servicePerWrite: service / counted.writes,
      historyPerEvent: history / counted.events,
    }
  } finally {
    await sql.end()
  }
}
