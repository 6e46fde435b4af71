import type { Queryable } from '../../db/client.ts'

/** A relayed write that has had no outcome for this long needs somebody's eyes. */
const STALE_AFTER = '10 minutes'

/** Bound writes without an outcome that have not moved for ten minutes. */
export async function countStaleIntents(sql: Queryable): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count
    from service.intents
    where (status = 'recorded' or status = 'broadcast' and watched)
      and updated_at < now() - ${STALE_AFTER}::interval`
  return rows[0]?.count ?? 0
}
