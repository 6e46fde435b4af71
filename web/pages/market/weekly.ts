import type { AnswerOf, Reads } from '../../http/read.ts'
import type { Task } from '../../http/rows.ts'

/** Number of weeks shown. */
export const WEEKS = 12
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

export const modes = ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const satisfies readonly Task['mode'][]

type Day = AnswerOf<'/api/stats/daily'>['days'][number]

/** One week of the market, up to its last complete day. Amounts are USDC base units. */
export interface Week {
  /** Start of the Monday, Unix milliseconds. */
  start: number
  /** Number of tasks by mode, in the order of `modes`. */
  tasks: readonly number[]
  rewards: readonly bigint[]
  gmv: bigint
  platformFees: bigint
  /** Mean time from posting to the first entry, seconds; 0: no task had its first entry. */
  entrySeconds: number
  /** Escrow at the end of the last day. */
  escrow: bigint
}

/** Reads the last weeks; none before the first day is over. @throws ReadProblem */
export async function readWeeks(reads: Reads): Promise<Week[]> {
  // The default is 90 days; these weeks have at most 84.
  const { lastDay, days } = await reads.get('/api/stats/daily')
  return lastDay === null ? [] : toWeeks(days, mondayOf(Date.parse(lastDay)) - (WEEKS - 1) * WEEK_MS)
}

/** Sums the days of weeks that begin with the Monday `first`. */
export function toWeeks(days: readonly Day[], first: number): Week[] {
  return Array.from({ length: WEEKS }, (_, index) => {
    const start = first + index * WEEK_MS
    const ofWeek = days.filter(({ day }) => Date.parse(day) >= start && Date.parse(day) < start + WEEK_MS)
    const before = days.findLast(({ day }) => Date.parse(day) < start + WEEK_MS)
    const ofMode = (mode: string) => ofWeek.flatMap((day) => day.modes.filter((each) => each.mode === mode))
    const entered = ofWeek.reduce((sum, day) => sum + day.entered, 0)
    const seconds = ofWeek.reduce((sum, day) => sum + day.entrySeconds, 0)
    return {
      start,
      tasks: modes.map((mode) => ofMode(mode).reduce((sum, { posted }) => sum + posted, 0)),
      rewards: modes.map((mode) => sumOf(ofMode(mode).map(({ postedRewards }) => postedRewards))),
      gmv: sumOf(ofWeek.map(({ gmv }) => gmv)),
      platformFees: sumOf(ofWeek.map(({ platformFees }) => platformFees)),
      entrySeconds: entered === 0 ? 0 : seconds / entered,
      escrow: BigInt(before?.escrowLocked ?? 0),
    }
  })
}

function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
}

/** The Monday of a week in UTC, Unix milliseconds. */
export function mondayOf(now: number): number {
  const day = new Date(now)
  const sinceMonday = (day.getUTCDay() + 6) % 7
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - sinceMonday)
}
