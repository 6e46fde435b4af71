import type { Queryable } from '../db/client.ts'
import type { RateLimitState } from '../http/client-rate-limits.ts'

/** The key of a database row that stores one client's usage of one rate limit. */
export interface RateLimitKey {
  /** The name of the rate limit. */
  name: string
  client: string
}

/**
 * Consumes `units` of a rate limit if enough units are left. If the time window has ended, a new window begins. One
 * statement locks the row, so concurrent requests cannot exceed the quota.
 */
export async function consumeRateLimit(
  sql: Queryable,
  { name, client, quota, windowSeconds, units }: RateLimitKey & { quota: number; windowSeconds: number; units: number },
): Promise<RateLimitState> {
  const [row] = await sql<{ granted: boolean; used: number; seconds: number }[]>`
    with spent as (
      insert into service.budgets as b (name, client, used, ends_at)
      select ${name}, ${client}, ${units}::int, now() + make_interval(secs => ${windowSeconds})
      where ${units}::int <= ${quota}
      on conflict (name, client) do update set
        used = case when b.ends_at > now() then b.used + excluded.used else excluded.used end,
        ends_at = case when b.ends_at > now() then b.ends_at else excluded.ends_at end
      where b.used + excluded.used <= ${quota} or b.ends_at <= now()
      returning used, ends_at
    )
    select true as granted, used, ceil(extract(epoch from ends_at - now()))::int as seconds
    from spent
    union all
    select false, b.used, ceil(extract(epoch from b.ends_at - now()))::int
    from service.budgets b
    where b.name = ${name} and b.client = ${client} and not exists (select from spent)`
  // If no row was found, another request inserted the row after this statement began, and used up the quota.
  const { granted, used, seconds } = row ?? { granted: false, used: quota, seconds: windowSeconds }
  // The window may have begun after this statement did, so the seconds are limited to a whole window.
  return { granted, left: Math.max(0, quota - used), seconds: Math.min(windowSeconds, Math.max(1, seconds)) }
}

/**
 * Returns the consumed units and the remaining seconds of a client's running window, or null if no window is running.
 */
export async function findRateLimit(
  sql: Queryable,
  { name, client }: RateLimitKey,
): Promise<{ used: number; seconds: number } | null> {
  const [row] = await sql<{ used: number; seconds: number }[]>`
    select used, ceil(extract(epoch from ends_at - now()))::int as seconds from service.budgets
    where name = ${name} and client = ${client} and ends_at > now()`
  return row ?? null
}

/** Refunds units if the client's window is still running. */
export async function refundRateLimit(sql: Queryable, { name, client }: RateLimitKey, units: number): Promise<void> {
  await sql`
    update service.budgets set used = greatest(0, used - ${units}::int)
    where name = ${name} and client = ${client} and used > 0 and ends_at > now()`
}

/**
 * Deletes at most `limit` rows whose window has ended.
 * @returns the number of deleted rows
 */
export async function deleteEndedRateLimits(sql: Queryable, limit: number): Promise<number> {
  const { count } = await sql`
    delete from service.budgets
    where (name, client) in (
      select name, client from service.budgets where ends_at <= now() limit ${limit} for update skip locked
    )`
  return count
}
