/** The pauses after the first failed attempt, and the longest, seconds. */
const FIRST_SECONDS = 10
const LONGEST_SECONDS = 21_600
/** The time from the first failed attempt after which the webhook is paused, seconds. */
const FAILING_AT_MOST_SECONDS = 86_400

/**
 * Returns the pause before the next attempt, seconds. It doubles from 10 seconds to 6 hours, with a last attempt after
 * 24 hours; then null.
 *
 * Example: `pauseAfter({ attempts: 3, failingSeconds: 60 })` returns `40`.
 * @param attempts the number of failed attempts, at least one
 * @param failingSeconds the time since the first of them
 */
export function pauseAfter({ attempts, failingSeconds }: { attempts: number; failingSeconds: number }): number | null {
  const secondsLeft = FAILING_AT_MOST_SECONDS - failingSeconds
  if (secondsLeft <= 0) return null
  return Math.min(FIRST_SECONDS * 2 ** (attempts - 1), LONGEST_SECONDS, Math.ceil(secondsLeft))
}
