/** The pause in seconds after the first failed attempt to deliver a message to a webhook. */
const FIRST_SECONDS = 10
/** The longest pause between two attempts to deliver a message to a webhook, in seconds. */
const LONGEST_SECONDS = 21_600
/** The seconds from the first failed attempt until the service stops its attempts and pauses the webhook. */
const FAILING_AT_MOST_SECONDS = 86_400

/**
 * Returns the pause in seconds before the next attempt. The pause doubles from 10 seconds up to 6 hours. The last
 * attempt is 24 hours after the first failed attempt. Returns null if no attempt follows.
 * @param attempts the number of failed attempts, at least one
 * @param failingSeconds the seconds since the first failed attempt
 *
 * Example: `pauseAfter({ attempts: 3, failingSeconds: 60 })` returns `40`.
 */
export function pauseAfter({ attempts, failingSeconds }: { attempts: number; failingSeconds: number }): number | null {
  const secondsLeft = FAILING_AT_MOST_SECONDS - failingSeconds
  if (secondsLeft <= 0) return null
  return Math.min(FIRST_SECONDS * 2 ** (attempts - 1), LONGEST_SECONDS, Math.ceil(secondsLeft))
}
