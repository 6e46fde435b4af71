import { z } from 'zod'
import { invalidRequest } from '../../http/parse.ts'
import { toAmount } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { type ActivityRow, findLastDay, listActivity, listMoney, type MoneyRow } from './daily-stats.queries.ts'
import { dailyStatsOut } from './daily-stats.schemas.ts'

/** The largest number of days in one answer. */
const MAX_DAYS = 366
/** The number of days that are returned if the request has no `since`. */
const DEFAULT_DAYS = 90
const DAY_MS = 86_400_000
/** The time in seconds for which caches may keep an answer. The figures change only once a day. */
const MAX_AGE = 60

const message = 'must be a date from 2000-01-01 to 2999-12-31, such as 2030-01-31'
const date = z.iso
  .date(message)
  .refine((text) => text.startsWith('2'), message)
  .optional()

const query = z.object({
  since: date.meta({ description: `The first day; without it ${DEFAULT_DAYS} days before the last.` }),
  until: date.meta({ description: 'The last day, included; without it the newest that there is.' }),
})

/**
 * Returns the daily figures of the market, for charts. See the interface specification, "Open data".
 *
 * Example: `GET /api/stats/daily` answers `{"lastDay": null, "days": []}`.
 */
export const getDailyStats = defineRoute({
  operationId: 'getDailyStats',
  method: 'get',
  path: '/stats/daily',
  tag: 'service',
  summary: 'Sum up the market by days',
  description:
    'Sums of days that are over, in UTC, of the whole market and by mode: tasks, GMV, fees, escrow, and times to the first ' +
    'entry and to the payout. A day appears some minutes after its end, when no reorg can change it any more. Amounts are ' +
    `USDC base units. At most ${MAX_DAYS} days in one answer. Numbers of different accounts, medians and balances of several days ` +
    'cannot be added.',
  query,
  cacheControl: `public, max-age=${MAX_AGE}`,
  responses: { 200: { description: 'The days, the oldest first.', schema: dailyStatsOut } },
  handler: async ({ sql }, { query: request }) => {
    const lastDay = await findLastDay(sql)
    const until = request.until ?? lastDay
    if (until === null) return { lastDay, days: [] }
    const since = request.since ?? addDays(until, 1 - DEFAULT_DAYS)
    if (since > until) throw invalidRequest([{ path: 'since', message: 'must not be after until' }])
    if (addDays(since, MAX_DAYS) <= until) {
      throw invalidRequest([{ path: 'since', message: `must be at most ${MAX_DAYS - 1} days before until` }])
    }
    const [activity, money] = await Promise.all([listActivity(sql, { since, until }), listMoney(sql, { since, until })])
    return { lastDay, days: money.flatMap((row) => toDay(row, activity)) }
  },
})

/** Adds days to a date. Example: `addDays('2030-01-31', 1)` returns `'2030-02-01'`. */
function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

type Answer = z.infer<typeof dailyStatsOut>['days'][number]

function toDay({ day, serviceFees, escrowLocked, liability }: MoneyRow, activity: readonly ActivityRow[]): Answer[] {
  const ofDay = activity.filter((row) => row.day === day)
  const allModes = ofDay.find(({ mode }) => mode === 'all')
  if (allModes === undefined) return []
  return [
    {
      day,
      ...toActivity(allModes),
      serviceFees: toAmount(serviceFees),
      escrowLocked: toAmount(escrowLocked),
      liability: toAmount(liability),
      modes: ofDay.filter((row) => row !== allModes).map((row) => ({ mode: row.mode, ...toActivity(row) })),
    },
  ]
}

function toActivity(row: ActivityRow) {
  return {
    posted: Number(row.posted),
    postedRewards: toAmount(row.postedRewards),
    entered: Number(row.entered),
    delivered: Number(row.delivered),
    accepted: Number(row.accepted),
    paid: Number(row.paid),
    requesters: Number(row.requesters),
    workers: Number(row.workers),
    gmv: toAmount(row.gmv),
    selfAwarded: toAmount(row.selfAwarded),
    platformFees: toAmount(row.platformFees),
    evaluatorFees: toAmount(row.evaluatorFees),
    entrySeconds: Number(row.entrySeconds),
    medianEntrySeconds: toNumberOrNull(row.medianEntrySeconds),
    payouts: Number(row.payouts),
    payoutSeconds: Number(row.payoutSeconds),
    medianPayoutSeconds: toNumberOrNull(row.medianPayoutSeconds),
  }
}

function toNumberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}
