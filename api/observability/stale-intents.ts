import type { Database } from '../db/client.ts'
import { createProbe } from './probe.ts'

/** A relayed write without an outcome for this long needs an operator. */
const STALE_AFTER = '10 minutes'
const LIMITS = { timeoutMs: 500, freshMs: 1_000 }
/** How old an answer may be that stands in for one that cannot be had now, milliseconds. */
const STANDS_IN_FOR_MS = 30_000

/** Writes without an outcome for ten minutes, and when they were counted (Unix milliseconds). */
export interface StaleIntents {
  count: number
  measuredAt: number
}

/** Counts at most once a second. Null, after half a second at most, when the database does not say. */
export function createStaleIntentCount(sql: Database): () => Promise<StaleIntents | null> {
  const probe = createProbe(() => countStaleIntents(sql), LIMITS)
  let last: StaleIntents | null = null
  return async () => {
    const probed = await probe()
    if (probed.ok) last = { count: probed.value, measuredAt: probed.at }
    return last !== null && Date.now() - last.measuredAt < STANDS_IN_FOR_MS ? last : null
  }
}

async function countStaleIntents(sql: Database): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count
    from service.intents
    where (status = 'recorded' or status = 'broadcast' and watched)
      and updated_at < now() - ${STALE_AFTER}::interval`
  return rows[0]?.count ?? 0
}
