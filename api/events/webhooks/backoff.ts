/** Pause after the first attempt that failed, and the longest, seconds. */
const FIRST_SECONDS = 10
const LONGEST_SECONDS = 21_600
/** How long attempts go on from the first that failed: then the webhook is paused, seconds. */
const FAILING_AT_MOST_SECONDS = 86_400

/**
 * The pause before the next attempt, seconds: twice as long each time, from 10 seconds to 6 hours, with a last attempt after 24
 * hours. Null: that was it.
 *
 * Example: after the third attempt of a minute it is 40.
 * @param attempts that have failed, at least one
 * @param failingSeconds time since the first of them
 */
export function pauseAfter({ attempts, failingSeconds }: { attempts: number; failingSeconds: number }): number | null {
  const left = FAILING_AT_MOST_SECONDS - failingSeconds
  if (left <= 0) return null
  return Math.min(FIRST_SECONDS * 2 ** (attempts - 1), LONGEST_SECONDS, Math.ceil(left))
}
