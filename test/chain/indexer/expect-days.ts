import { expect } from 'vitest'
import { dayAt } from '../../../api/daily/day.ts'
import { fillDays } from '../../../api/daily/fill-days.ts'
import { connectDatabase } from '../../../api/db/client.ts'

/**
 * The daily sums, made again from the first day, against the ledger and the rows of the same days. The days before that of
 * the head are taken as final.
 */
export async function expectDaysEqual(url: string): Promise<void> {
  const sql = connectDatabase({ url, max: 2 })
  try {
    const [head] = await sql<{ time: bigint }[]>`select block_timestamp as time from indexed_head`
    const { date, begin } = dayAt(head?.time ?? 0n)
    await sql`delete from service.daily_state`
    while ((await fillDays({ sql, chain: { blockTimestamp: async () => begin } })) === 0);
    const flows = await sql`
      select day::text as day, asset, kind, sum(movements)::int as movements, sum(amount) as amount,
        trim_scale(sum(amount_units))::text as units
      from analytics.daily_flow group by 1, 2, 3 order by 1, 2, 3`
    const movements = await sql`
      select (at at time zone 'UTC')::date::text as day, asset, kind, count(*)::int as movements, sum(amount) as amount,
        trim_scale(sum(amount_units))::text as units
      from analytics.ledger where at < ${date}::timestamp at time zone 'UTC' group by 1, 2, 3 order by 1, 2, 3`
    expect([...flows]).toEqual([...movements])
    const differing = await sql`
      select day from analytics.daily_market
      left join lateral (
        select coalesce(sum(amount) filter (where kind in ('awarded', 'platform_fee')), 0) as gmv,
          coalesce(sum(amount) filter (where kind = 'platform_fee'), 0) as platform_fees,
          coalesce(sum(amount) filter (where kind = 'evaluator_fee'), 0) as evaluator_fees,
          coalesce(sum(amount) filter (where kind = 'funded'), 0) as posted_rewards
        from analytics.daily_flow where daily_flow.day = daily_market.day
      ) as flow on true
      left join lateral (
        select sum(gmv) as gmv, sum(posted) as posted, sum(paid) as paid
        from analytics.daily_mode where daily_mode.day = daily_market.day
      ) as modes on true
      where daily_market.gmv <> flow.gmv or daily_market.platform_fees <> flow.platform_fees
        or daily_market.evaluator_fees <> flow.evaluator_fees or daily_market.posted_rewards <> flow.posted_rewards
        or (daily_market.gmv, daily_market.posted, daily_market.paid) is distinct from
          (coalesce(modes.gmv, 0), coalesce(modes.posted, 0), coalesce(modes.paid, 0))`
    expect([...differing]).toEqual([])
    const [sums] = await sql`
      select coalesce(sum(posted), 0)::int as posted, coalesce(sum(entered), 0)::int as entered,
        coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(accepted), 0)::int as accepted
      from analytics.daily_market`
    const [tasks] = await sql`
      select count(*)::int as posted, count(first_entry)::int as entered, count(first_delivery)::int as delivered,
        (select count(distinct task_id)::int from award where settled_at < ${begin}) as accepted
      from task
      left join lateral (select min(submitted_at) as first_delivery from submission where task_id = task.id and submitted_at < ${begin}) as s on true
      left join lateral (
        select min(at) as first_entry from (
          select submitted_at as at from submission where task_id = task.id
          union all select submitted_at from pitch where task_id = task.id
          union all select block_timestamp from task_event e
          where e.task_id = task.id and name in ('BidSubmitted', 'TaskWorkerSelected')
        ) as entry where at < ${begin}
      ) as e on true
      where created_at < ${begin}`
    expect(sums).toEqual(tasks)
  } finally {
    await sql.end()
  }
}
