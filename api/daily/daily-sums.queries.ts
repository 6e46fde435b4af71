import type { Queryable } from '../db/client.ts'
import type { Day } from './day.ts'

/** The events by which a worker first takes part in a task. */
const ENTRY_EVENTS = ['TaskWorkerSelected', 'PitchSubmitted', 'BidSubmitted', 'TaskSubmitted'] as const
/** The events whose blocks are used to find the block range of a day. Nearly every day has one of these events. */
const FREQUENT_EVENTS = ['TaskCreated', 'TaskSubmitted', 'TaskCompleted'] as const

/**
 * A range of blocks that contains every row of a day. The first and the last blocks of the range may also have rows of
 * neighbouring days.
 */
export interface BlockRange {
  /** The block before the first block of the range. */
  after: bigint
  /**
   * The last block of the range. If none of the `FREQUENT_EVENTS` is known after the day, `until` is null, and the
   * range continues to the newest block.
   */
  until: bigint | null
}

/**
 * Returns a block range that contains the day. The range begins after the block of the last frequent event
 * (`FREQUENT_EVENTS`) before the day. The range ends with the block of the first frequent event after the day.
 */
export async function findBlockRange(sql: Queryable, { begin, end }: Day): Promise<BlockRange> {
  const [row] = await sql<BlockRange[]>`
    select coalesce(max(before.block_number), -1) as after, min(next.block_number) as until
    from unnest(${[...FREQUENT_EVENTS]}::text[]) as event(name)
    left join lateral (
      select block_number from task_event where name = event.name and block_timestamp < ${begin}
      order by block_timestamp desc, block_number desc limit 1
    ) as before on true
    left join lateral (
      select block_number from task_event where name = event.name and block_timestamp >= ${end}
      order by block_timestamp, block_number limit 1
    ) as next on true`
  return row ?? { after: -1n, until: null }
}

/**
 * Replaces the stored sums of a day's movements of money. There is one sum for each combination of asset, kind of
 * movement, class of the paying account and class of the receiving account.
 */
export async function storeFlows(tx: Queryable, day: Day, blocks: BlockRange): Promise<void> {
  await tx`delete from service.daily_flow where day = ${day.date}`
  await tx`
    insert into service.daily_flow (day, asset, kind, from_class, to_class, decimals, movements, amount)
    select ${day.date}::date, asset, kind, from_class, to_class,
      case when asset = (select usdc from market_config) then 6 else coalesce(
        (select token_decimals from bonus_programme where token = asset limit 1),
        (select token_decimals from sponsored_vault where token = asset limit 1)
      ) end,
      count(*), sum(amount)
    from ledger
    where block_number > ${blocks.after} and block_number <= ${blocks.until ?? 2n ** 62n}
      and at >= to_timestamp(${day.begin}) and at < to_timestamp(${day.end})
    group by asset, kind, from_class, to_class`
}

/**
 * Stores the balance at the end of the day for each class of accounts that had a movement on the day. The class
 * `wallet` is left out. The caller must first call `storeFlows` for the day.
 */
export async function storeBalances(tx: Queryable, { date }: Day): Promise<void> {
  await tx`delete from service.daily_balance where day = ${date}`
  await tx`
    insert into service.daily_balance (account_class, asset, day, decimals, inflow, outflow, balance)
    select account_class, asset, ${date}::date, max(decimals), sum(inflow), sum(outflow),
      sum(inflow) - sum(outflow) + coalesce((
        select balance from service.daily_balance before
        where before.account_class = side.account_class and before.asset = side.asset and before.day < ${date}
        order by before.day desc limit 1), 0)
    from (
      select to_class as account_class, asset, decimals, amount as inflow, 0 as outflow
      from service.daily_flow where day = ${date}
      union all
      select from_class, asset, decimals, 0, amount from service.daily_flow where day = ${date}
    ) as side
    where account_class <> 'wallet'
    group by account_class, asset`
}

/**
 * Stores the USDC that the market and the forwarder hold at the end of a day. The caller must first call `storeFlows`
 * and `storeBalances` for the day.
 */
export async function storeMoney(tx: Queryable, { date }: Day): Promise<void> {
  const balanceOf = (accountClass: string) => tx`
    coalesce((
      select balance from service.daily_balance
      where account_class = ${accountClass} and asset = (select usdc from market_config) and day <= ${date}
      order by day desc limit 1), 0)`
  await tx`
    insert into service.daily_money (day, service_fees, escrow, stakes, credits, prepaid)
    select ${date}::date,
      (select coalesce(sum(amount), 0) from service.daily_flow where day = ${date} and kind = 'service_fee'),
      ${balanceOf('escrow')}, ${balanceOf('stake')}, ${balanceOf('credit')}, ${balanceOf('prepaid')}
    on conflict (day) do update set service_fees = excluded.service_fees, escrow = excluded.escrow,
      stakes = excluded.stakes, credits = excluded.credits, prepaid = excluded.prepaid`
}

/**
 * Stores the task activity of a day, for each mode and in total. The figures are computed from events of the day, such
 * as creations of tasks, the first entry and the first delivery in a task, verdicts and awards.
 */
export async function storeActivity(tx: Queryable, day: Day, blocks: BlockRange): Promise<void> {
  const { begin, end } = day
  const isOfDay = tx`block_timestamp >= ${begin} and block_timestamp < ${end}`
  // Tasks whose first event of these names is of the day, with its time.
  const firstOf = (names: readonly string[]) => tx`
    select happened.task_id, first.block_timestamp as at
    from (select distinct task_id from task_event where name = any(${[...names]}::text[]) and ${isOfDay}) as happened
    cross join lateral (
      select block_timestamp from task_event e where e.task_id = happened.task_id and name = any(${[...names]}::text[])
      order by ordinal limit 1
    ) as first
    where first.block_timestamp >= ${begin}`
  await tx`delete from service.daily_activity where day = ${day.date}`
  await tx`
    with fact as (
      select 'posted' as name, task_id, null as worker, amount, 0::numeric as fee, null::bigint as seconds, false as self_award
      from task_event where name = 'TaskCreated' and ${isOfDay}
      union all
      select 'entered', first.task_id, null, null, 0, first.at - task.created_at, false
      from (${firstOf(ENTRY_EVENTS)}) as first join task on task.id = first.task_id
      union all
      select 'delivered', task_id, null, null, 0, null, false from (${firstOf(['TaskSubmitted'])}) as first
      union all
      select 'worked', task_id, subject, null, 0, null, false
      from task_event where name = any(${[...ENTRY_EVENTS]}::text[]) and ${isOfDay}
      union all
      select 'awarded', award.task_id, null, gross_amount, platform_fee, case when worker_payment > 0 then
        settled_at - submitted_at end, self_award
      from award
      left join submission using (task_id, worker, deliverable)
      where award.block_number > ${blocks.after} and award.block_number <= ${blocks.until ?? 2n ** 62n}
        and settled_at >= ${begin} and settled_at < ${end}
      union all
      select 'evaluated', task_id, null, null, coalesce(amount, 0), null, false
      from task_event where name = 'VerdictIssued' and ${isOfDay}
    ),
    of_task as (
      select fact.*, task.mode, task.requester from fact join task on task.id = fact.task_id
    )
    insert into service.daily_activity (day, mode, posted, posted_rewards, entered, entry_seconds, median_entry_seconds,
      delivered, accepted, paid, gmv, self_awarded, platform_fees, evaluator_fees, payouts, payout_seconds,
      median_payout_seconds, requesters, workers)
    select ${day.date}::date, case when grouping(mode) = 1 then 'all' else mode end,
      count(*) filter (where name = 'posted'),
      coalesce(sum(amount) filter (where name = 'posted'), 0),
      count(*) filter (where name = 'entered'),
      coalesce(sum(seconds) filter (where name = 'entered'), 0),
      percentile_disc(0.5) within group (order by seconds) filter (where name = 'entered'),
      count(*) filter (where name = 'delivered'),
      count(distinct task_id) filter (where name = 'awarded'),
      count(distinct task_id) filter (where name = 'awarded' and amount > fee and not self_award),
      coalesce(sum(amount) filter (where name = 'awarded'), 0),
      coalesce(sum(amount) filter (where name = 'awarded' and self_award), 0),
      coalesce(sum(fee) filter (where name = 'awarded'), 0),
      coalesce(sum(fee) filter (where name = 'evaluated'), 0),
      count(seconds) filter (where name = 'awarded'),
      coalesce(sum(seconds) filter (where name = 'awarded'), 0),
      percentile_disc(0.5) within group (order by seconds) filter (where name = 'awarded' and seconds is not null),
      count(distinct requester) filter (where name in ('posted', 'awarded')),
      count(distinct worker) filter (where name = 'worked')
    from of_task
    group by grouping sets ((), (mode))`
}
