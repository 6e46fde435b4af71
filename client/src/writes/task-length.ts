import type { WriteName } from '../api/write-names.ts'
import { MOST_TASK_HOURS } from '../store/limits.ts'
import type { AssetNotice } from './outcome.ts'
import { Refused } from './write-spec.ts'

/**
 * The duration of a task, in hours, above which a user must agree to the task. Above `MOST_TASK_HOURS`, the caller must
 * also pass the option `long`.
 */
export const ASK_ABOVE_HOURS = 90 * 24
const SECONDS_PER_HOUR = 3_600

/**
 * Returns the number of hours for which a write locks a task's escrow; null if the write sets no expiry. A high number
 * can come from a wrong unit: 86400 seconds, passed as hours, are almost ten years.
 *
 * Example: `createTask` with `duration: 24` returns 24.
 * @param now the current time, in Unix seconds
 */
export function openHoursOf(name: WriteName, input: object, now: number): number | null {
  const { duration, expiryTime } = input as { duration?: unknown; expiryTime?: unknown }
  if (name === 'createTask' && typeof duration === 'number') return duration
  if (name === 'updateTask' && typeof expiryTime === 'number') return (expiryTime - now) / SECONDS_PER_HOUR
  return null
}

/** Returns a notice for the user if a write keeps a task open for more than 90 days. Otherwise the notice is empty. */
export function noticeLength(name: WriteName, input: object, now: number): AssetNotice {
  const hours = openHoursOf(name, input, now)
  if (hours === null || hours <= ASK_ABOVE_HOURS) return { clauses: [], needsPerson: false }
  return { clauses: [`the task stays open for ${describeHours(hours)}`], needsPerson: true }
}

/**
 * Checks the duration of a task.
 * @throws Refused for less than one second; also for more than one year if `isLong` is false
 */
export function checkLength(name: WriteName, input: object, { now, isLong }: { now: number; isLong: boolean }): void {
  const hours = openHoursOf(name, input, now)
  if (name === 'createTask' && hours !== null && hours * SECONDS_PER_HOUR < 1) {
    const message = `The duration of ${hours} hours is less than a second. Nothing was sent.`
    throw new Refused('invalid_input', message)
  }
  if (isLong || hours === null || hours <= MOST_TASK_HOURS) return
  const unit = name === 'createTask' ? 'The duration is in hours, not seconds' : 'The expiry is in Unix seconds'
  throw new Refused(
    'long_task',
    `The task would stay open for ${describeHours(hours)}. ${unit}; above a year say that it is meant: --long, or ` +
      '`long: true`. Nothing was sent.',
  )
}

/**
 * Formats a number of hours, rounded up to a hundredth of an hour. A duration above 730 days is shown in years.
 * Example: 2161 hours become `90 days and 1 hour`.
 */
function describeHours(hours: number): string {
  const hundredths = Math.ceil(hours * 100)
  const days = Math.floor(hundredths / 2_400)
  if (days > 730) return `${Number((days / 365).toFixed(1))} years`
  const remainingHours = (hundredths - days * 2_400) / 100
  return remainingHours === 0
    ? `${days} days`
    : `${days} days and ${remainingHours} ${remainingHours === 1 ? 'hour' : 'hours'}`
}
