import type { WriteName } from '../api/write-names.ts'
import type { AssetNotice } from './outcome.ts'
import { Refused } from './write-spec.ts'

/** Above this a person is asked, and above `MOST_HOURS` the caller says that it means it. Hours. */
export const ASK_ABOVE_HOURS = 90 * 24
export const MOST_HOURS = 365 * 24
const SECONDS_PER_HOUR = 3_600

/**
 * Hours for which a write keeps the escrow of a task open; null where it sets no expiry. A day in seconds (86400) taken
 * for hours is a task of almost ten years.
 *
 * Example: `createTask` with `duration: 24` gives 24.
 * @param now Unix seconds
 */
export function openHoursOf(name: WriteName, input: object, now: number): number | null {
  const { duration, expiryTime } = input as { duration?: unknown; expiryTime?: unknown }
  if (name === 'createTask' && typeof duration === 'number') return duration
  if (name === 'updateTask' && typeof expiryTime === 'number') return (expiryTime - now) / SECONDS_PER_HOUR
  return null
}

/** Sentence for a person about a task that stays open for more than 90 days. */
export function noticeLength(name: WriteName, input: object, now: number): AssetNotice {
  const hours = openHoursOf(name, input, now)
  if (hours === null || hours <= ASK_ABOVE_HOURS) return { clauses: [], needsPerson: false }
  return { clauses: [`the task stays open for ${describeHours(hours)}`], needsPerson: true }
}

/** @throws Refused for a task of more than a year, unless the caller says that it is meant */
export function checkLength(name: WriteName, input: object, { now, isLong }: { now: number; isLong: boolean }): void {
  const hours = openHoursOf(name, input, now)
  if (isLong || hours === null || hours <= MOST_HOURS) return
  const unit = name === 'createTask' ? 'The duration is in hours, not seconds' : 'The expiry is in Unix seconds'
  throw new Refused(
    'long_task',
    `The task would stay open for ${describeHours(hours)}. ${unit}; above a year say that it is meant: --long, or ` +
      '`long: true`. Nothing was sent.',
  )
}

function describeHours(hours: number): string {
  const days = Math.round(hours / 24)
  return days > 730 ? `${Number((days / 365).toFixed(1))} years` : `${days} days`
}
