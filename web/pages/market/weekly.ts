import type { AnswerOf, Reads } from '../../http/read.ts'
import type { Task } from '../../http/rows.ts'

/** The number of weeks that the charts show. */
export const WEEKS = 12
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

export const modes = ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const satisfies readonly Task['mode'][]

type Day = AnswerOf<'/api/stats/daily'>['days'][number]

/** One week of the market. The current week contains only its complete days. Amounts are base units of USDC. */
export interface Week {
  /** Start of the week's Monday in UTC, in Unix milliseconds. */
  start: number
  /** Number of posted tasks by mode, in the order of `modes`. */
  tasks: readonly number[]
  rewards: readonly bigint[]
  gmv: bigint
  platformFees: bigint
  /**
   * Mean time in seconds from the posting of a task to its first entry; 0 if no task got its first entry in this week.
   */
  entrySeconds: number
  /** Amount in escrow at the end of the week. For the current week: at the end of the last complete day. */
  escrow: bigint
}

/**
 * Reads the figures of the most recent weeks. Returns an empty list until the market's first day has ended.
 * @throws ReadProblem
 */
export async function readWeeks(reads: Reads): Promise<Week[]> {
  // The default is 90 days; these weeks have at most 84.
  const { lastDay, days } = await reads.get('/api/stats/daily')
  return lastDay === null ? [] : toWeeks(days, mondayOf(Date.parse(lastDay)) - (WEEKS - 1) * WEEK_MS)
}

/**
 * Sums the figures of days to figures of weeks, for `WEEKS` weeks.
 * @param first start of the first week's Monday in UTC, in Unix milliseconds
 */
export function toWeeks(days: readonly Day[], first: number): Week[] {
  return Array.from({ length: WEEKS }, (_, index) => {
    const start = first + index * WEEK_MS
    const ofWeek = days.filter(({ day }) => Date.parse(day) >= start && Date.parse(day) < start + WEEK_MS)
    const before = days.findLast(({ day }) => Date.parse(day) < start + WEEK_MS)
    const ofMode = (mode: string) => ofWeek.flatMap((day) => day.modes.filter((each) => each.mode === mode))
    const enteredSum = ofWeek.reduce((sum, day) => sum + day.entered, 0)
    const seconds = ofWeek.reduce((sum, day) => sum + day.entrySeconds, 0)
    return {
      start,
      tasks: modes.map((mode) => ofMode(mode).reduce((sum, { posted }) => sum + posted, 0)),
      rewards: modes.map((mode) => sumOf(ofMode(mode).map(({ postedRewards }) => postedRewards))),
      gmv: sumOf(ofWeek.map(({ gmv }) => gmv)),
      platformFees: sumOf(ofWeek.map(({ platformFees }) => platformFees)),
      entrySeconds: enteredSum === 0 ? 0 : seconds / enteredSum,
      escrow: BigInt(before?.escrowLocked ?? 0),
    }
  })
}

function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
}

/** Returns the start, in UTC, of the Monday of the week that contains a time. All times are Unix milliseconds. */
export function mondayOf(now: number): number {
  const day = new Date(now)
  const sinceMonday = (day.getUTCDay() + 6) % 7
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - sinceMonday)
}
