import type { Database } from '../db/client.ts'
import { createProbe } from './probe.ts'

/** The age from which a relayed write without an outcome needs an operator. */
const STALE_AFTER = '10 minutes'
const LIMITS = { timeoutMs: 500, freshMs: 1_000 }
/**
 * The greatest age of a count of stale writes, in milliseconds. If the database does not answer, an earlier count up to
 * this age is returned.
 */
const STANDS_IN_FOR_MS = 30_000

/**
 * The number of writes that have had no outcome for ten minutes. `measuredAt`: the time of the count in Unix
 * milliseconds.
 */
export interface StaleIntents {
  count: number
  measuredAt: number
}

/**
 * Creates a function that counts stale writes, at most once a second. If the database does not answer in time, the
 * function returns the previous count. If the previous count is older than 30 seconds, the function returns null.
 */
export function createStaleIntentCount(sql: Database): () => Promise<StaleIntents | null> {
  const probe = createProbe(() => countStaleIntents(sql), LIMITS)
  let last: StaleIntents | null = null
  return async () => {
    const reading = await probe()
    if (reading.ok) last = { count: reading.value, measuredAt: reading.at }
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
