import { html } from 'hono/html'
import type { Html } from './html.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const JUST_NOW = 5_000

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Formats a duration for people, rounded to one unit.
 * Example: `duration(93_600_000)` is `26 h`.
 */
export function duration(milliseconds: number): string {
  const length = Math.abs(milliseconds)
  if (length < MINUTE) return `${Math.max(1, Math.round(length / 1000))} s`
  if (length < HOUR) return `${Math.round(length / MINUTE)} min`
  if (length < 2 * DAY) return `${Math.round(length / HOUR)} h`
  if (length < 60 * DAY) return `${Math.round(length / DAY)} days`
  if (length < 730 * DAY) return `${Math.round(length / (30.44 * DAY))} months`
  return `${Math.round(length / (365.25 * DAY))} years`
}

/** Formats a time for people, in UTC. Example: `29 Nov 2026, 21:27`. */
export function dateTime(iso: string): string {
  const time = new Date(iso)
  return `${dateOf(time)}, ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
}

/** Formats the day of a time, in UTC. Example: `29 Nov 2026`. */
export function dateOf(time: Date): string {
  return `${time.getUTCDate()} ${months[time.getUTCMonth()]} ${time.getUTCFullYear()}`
}

/** Renders a time as the given text, with the exact time as its tooltip. */
export function time(iso: string, text: string): Html {
  const seconds = two(new Date(iso).getUTCSeconds())
  return html`<time datetime="${iso}" title="${dateTime(iso)}:${seconds} UTC">${text}</time>`
}

/** Renders the exact time. Example: 29 Nov 2026, 21:27 UTC. */
export function at(iso: string): Html {
  return time(iso, `${dateTime(iso)} UTC`)
}

/** Renders a time relative to `now` (Unix milliseconds). Examples: `2 h ago`, `in 3 days`. */
export function relative(iso: string, now: number): Html {
  return time(iso, relativeText(iso, now))
}

/** Returns the text that `relative` renders, without markup. */
export function relativeText(iso: string, now: number): string {
  const distance = Date.parse(iso) - now
  // A row may be of a newer block than the page's time.
  if (Math.abs(distance) < JUST_NOW) return 'just now'
  return distance < 0 ? `${duration(distance)} ago` : `in ${duration(distance)}`
}

/** Renders a deadline relative to `now` (Unix milliseconds). Examples: `2 h left`, `ended 6 min ago`. */
export function deadline(iso: string, now: number): Html {
  const distance = Date.parse(iso) - now
  return time(iso, distance <= 0 ? `ended ${duration(distance)} ago` : `${duration(distance)} left`)
}

/** Formats a number of seconds as a duration for people. */
export function seconds(count: number): string {
  return duration(count * 1000)
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
