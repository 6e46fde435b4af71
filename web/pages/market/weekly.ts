import type { Reads } from '../../http/read.ts'
import type { Task } from '../../http/rows.ts'

/** So many weeks are shown. */
export const WEEKS = 12
const WEEK_MS = 7 * 24 * 3_600_000

export const modes = ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const satisfies readonly Task['mode'][]

/** One week of the market. Amounts in USDC: for bars, not for books. */
export interface Week {
  /** Monday, Unix milliseconds. */
  start: number
  /** By mode, in the order of `modes`. */
  tasks: readonly number[]
  volume: readonly number[]
  take: number
  /** The median from posting to the first entry, minutes; 0: no task of the week has one. */
  minutesToEntry: number
  escrow: number
}

const SINCE = `extract(epoch FROM date_trunc('week', now()))::bigint - ${(WEEKS - 1) * 7 * 86_400}`
const week = (column: string) => `extract(epoch FROM date_trunc('week', to_timestamp(${column})))::bigint AS week`

const posted = `SELECT ${week('created_at')}, mode, count(*)::int AS tasks, (sum(reward) / 1e6)::float8 AS volume
FROM market.task WHERE created_at_ms >= (${SINCE}) * 1000 GROUP BY 1, 2`

const taken = `SELECT ${week('settled_at')}, (sum(platform_fee) / 1e6)::float8 AS take
FROM market.award WHERE settled_at >= ${SINCE} GROUP BY 1`

const entered = `SELECT ${week('t.created_at')},
percentile_cont(0.5) WITHIN GROUP (ORDER BY (e.first_at - t.created_at) / 60.0) AS minutes
FROM market.task t JOIN (SELECT task_id, min(submitted_at) AS first_at FROM (
  SELECT task_id, submitted_at FROM market.submission UNION ALL SELECT task_id, submitted_at FROM market.pitch
  UNION ALL SELECT task_id, placed_at FROM market.bid) s GROUP BY task_id) e ON e.task_id = t.id
WHERE t.created_at_ms >= (${SINCE}) * 1000 GROUP BY 1`

/** What each week changed of the escrow, of all weeks: their running sum is what is open at its end. */
const escrowed = `SELECT extract(epoch FROM date_trunc('week', at))::bigint AS week,
(sum(CASE WHEN to_class = 'escrow' THEN amount ELSE 0 END - CASE WHEN from_class = 'escrow' THEN amount ELSE 0 END) / 1e6)::float8 AS change
FROM market.ledger WHERE to_class = 'escrow' OR from_class = 'escrow' GROUP BY 1 ORDER BY 1`

/** Reads the last weeks, one query after another: a client has one at a time. @throws ReadProblem */
export async function readWeeks(reads: Reads): Promise<Week[]> {
  const created = await reads.sql(posted)
  const takes = await reads.sql(taken)
  const entries = await reads.sql(entered)
  const changes = await reads.sql(escrowed)
  const monday = mondayOf(reads.head().now)
  return Array.from({ length: WEEKS }, (_, index) => {
    const start = monday - (WEEKS - 1 - index) * WEEK_MS
    const isOf = ({ week: seconds }: Record<string, unknown>) => Number(seconds) * 1000 === start
    const ofMode = (mode: string, column: string) =>
      Number(created.find((row) => isOf(row) && row.mode === mode)?.[column] ?? 0)
    return {
      start,
      tasks: modes.map((mode) => ofMode(mode, 'tasks')),
      volume: modes.map((mode) => ofMode(mode, 'volume')),
      take: Number(takes.find(isOf)?.take ?? 0),
      minutesToEntry: Number(entries.find(isOf)?.minutes ?? 0),
      escrow: changes
        .filter(({ week: seconds }) => Number(seconds) * 1000 <= start)
        .reduce((total, { change }) => total + Number(change), 0),
    }
  })
}

/** The Monday of a week in UTC, as PostgreSQL has it. */
export function mondayOf(now: number): number {
  const day = new Date(now)
  const sinceMonday = (day.getUTCDay() + 6) % 7
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - sinceMonday)
}
