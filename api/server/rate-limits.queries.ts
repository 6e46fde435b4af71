import type { Queryable } from '../db/client.ts'
import type { RateLimitState } from '../http/client-rate-limits.ts'

/** One client's row of one rate limit. */
export interface RateLimitKey {
  /** The name of the rate limit. */
  name: string
  client: string
}

/**
 * Consumes the units if as many are left; an ended window begins anew. It is one statement under the row's lock, so
 * concurrent requests of all processes together get exactly the quota.
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
  // Without a row, another request inserted it after this statement began, and used it up.
  const { granted, used, seconds } = row ?? { granted: false, used: quota, seconds: windowSeconds }
  // A window that another request opened after this statement began lasts no longer than any other.
  return { granted, left: Math.max(0, quota - used), seconds: Math.min(windowSeconds, Math.max(1, seconds)) }
}

/** Returns the usage of a running window, or null. */
export async function findRateLimit(
  sql: Queryable,
  { name, client }: RateLimitKey,
): Promise<{ used: number; seconds: number } | null> {
  const [row] = await sql<{ used: number; seconds: number }[]>`
    select used, ceil(extract(epoch from ends_at - now()))::int as seconds from service.budgets
    where name = ${name} and client = ${client} and ends_at > now()`
  return row ?? null
}

/** Refunds units to a running window. */
export async function refundRateLimit(sql: Queryable, { name, client }: RateLimitKey, units: number): Promise<void> {
  await sql`
    update service.budgets set used = greatest(0, used - ${units}::int)
    where name = ${name} and client = ${client} and used > 0 and ends_at > now()`
}

/** Deletes rows whose window has ended. Returns their number. */
export async function deleteEndedRateLimits(sql: Queryable, limit: number): Promise<number> {
  const { count } = await sql`
    delete from service.budgets
    where (name, client) in (
      select name, client from service.budgets where ends_at <= now() limit ${limit} for update skip locked
    )`
  return count
}
