import postgres from 'postgres'

/** What relayed writes leave in the service's tables, bytes with indexes: the intent, its signed bytes, its texts. */
export interface BytesResult {
  writes: number
  servicePerWrite: number
}

/** Reads the size of the service's tables, and of how many writes it is. */
export async function measureBytes(databaseUrl: string): Promise<BytesResult> {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    const [found] = await sql<{ writes: number; bytes: number }[]>`
      select (select count(*) from service.intents where status = 'completed')::float8 as writes, (
        select sum(pg_total_relation_size(c.oid))::float8
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname = 'service'
      ) as bytes`
    if (found === undefined) throw new Error('a select without a table has one row')
    return { writes: found.writes, servicePerWrite: found.bytes / found.writes }
  } finally {
    await sql.end()
  }
}
