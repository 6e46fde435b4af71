import type { Queryable } from '../../db/client.ts'

/** The figures of a day's tasks in one mode, or in all modes if `mode` is `all`. Amounts are in base units of USDC. */
export interface ActivityRow {
  day: string
  mode: string
  posted: bigint
  postedRewards: bigint
  entered: bigint
  entrySeconds: bigint
  medianEntrySeconds: bigint | null
  delivered: bigint
  accepted: bigint
  paid: bigint
  gmv: bigint
  selfAwarded: bigint
  platformFees: bigint
  evaluatorFees: bigint
  payouts: bigint
  payoutSeconds: bigint
  medianPayoutSeconds: bigint | null
  requesters: bigint
  workers: bigint
}

/**
 * The money of a day, in base units of USDC. `serviceFees` is the sum of the day. All remaining amounts are balances at
 * the end of the day.
 */
export interface MoneyRow {
  day: string
  serviceFees: bigint
  escrowLocked: bigint
  liability: bigint
}

/**
 * A range of days, including the first and the last day. Each day is a date such as `2030-01-31`. `since` is the first
 * day.
 */
export interface DayRange {
  since: string
  until: string
}

/** Returns the newest day for which figures are stored, or null if there is none. */
export async function findLastDay(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ day: string }[]>`select max(day)::text as day from service.daily_money`
  return row?.day ?? null
}

/** Lists the figures about tasks for each day of a range and each task mode, the oldest day first. */
export async function listActivity(sql: Queryable, { since, until }: DayRange): Promise<ActivityRow[]> {
  return await sql<ActivityRow[]>`
    select day::text as day, mode, posted, posted_rewards, entered, entry_seconds, median_entry_seconds, delivered, accepted,
      paid, gmv, self_awarded, platform_fees, evaluator_fees, payouts, payout_seconds, median_payout_seconds, requesters,
      workers
    from service.daily_activity where day between ${since} and ${until} order by day, mode`
}

/** Lists the amounts of money for each day of a range, the oldest day first. */
export async function listMoney(sql: Queryable, { since, until }: DayRange): Promise<MoneyRow[]> {
  return await sql<MoneyRow[]>`
    select day::text as day, service_fees, escrow as escrow_locked, escrow + stakes + credits + prepaid as liability
    from service.daily_money where day between ${since} and ${until} order by day`
}
