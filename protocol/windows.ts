import type { Detail } from './details.ts'

/** The clocks of a window, Unix seconds. */
export interface Clocks {
  /** Time of the chain head. */
  head: bigint
  /** The host's clock; on a local chain the time of the node's pending block, which advances while no block is mined. */
  current: bigint
}

/** Bounds of the distance of a signed end, seconds. */
interface EndBounds {
  least: bigint
  most: bigint
}

/** Bounds of the distance between a signed moment and the clocks, seconds. */
interface MomentBounds {
  back: bigint
  ahead: bigint
}

/**
 * Windows of signed ends, as docs/build/limits.md promises them (Interface, "Windows"). `SLACK_SECONDS` beyond these bounds
 * is accepted and not promised: clocks of callers and blocks differ.
 */
export const ends = {
  /** The authorization of an x402 payment, and of a withdrawal of USDC. */
  payment: { least: 30n, most: 900n },
  /** The contract accepts twice as much. */
  tokenWithdrawal: { least: 30n, most: 300n },
  boundOnlySwitch: { least: 30n, most: 900n },
  vaultClaim: { least: 15n, most: 600n },
  readIdentity: { least: 0n, most: 86_400n },
} as const satisfies Record<string, EndBounds>

/** Windows of signed moments. */
export const moments = {
  consent: { back: 300n, ahead: 300n },
  curation: { back: 300n, ahead: 60n },
  webhook: { back: 300n, ahead: 300n },
  /** The time in the feedback file of a rating, which a caller may choose. */
  createdAt: { back: 300n, ahead: 300n },
} as const satisfies Record<string, MomentBounds>

/** The lifetime of a payment that the challenge names, and that stock x402 clients sign, seconds (Interface, "Payments"). */
export const CHALLENGE_SECONDS = 300

/** Differences of clocks that are accepted beyond the documented bounds, seconds. */
export const SLACK_SECONDS = 60n

/** Largest distance of a chain head from the host's clock with which writes are accepted, seconds. A local chain has none. */
export const MOST_HEAD_AGE_SECONDS = 60n

/** A fault of a window: the condition, and the sentence for the caller. */
export interface WindowProblem {
  detail: Extract<Detail, 'window_too_short' | 'window_too_long' | 'clock_ahead'>
  message: string
}

/**
 * Returns the later one of the two clocks: ends are counted from it.
 * Example: `latestOf({ head: 1000n, current: 1001n })` is 1001n.
 */
export function latestOf({ head, current }: Clocks): bigint {
  return head > current ? head : current
}

/**
 * Checks the end of a signed window; null: it is accepted.
 *
 * Example: at head 1000 and a host's clock of 1001 a payment may end from 1031 to 1961; 900 s are documented.
 * @param field the name of the end in the sentence
 */
export function judgeEnd(
  { least, most }: EndBounds,
  end: bigint,
  { clocks, field }: { clocks: Clocks; field: string },
): WindowProblem | null {
  const from = latestOf(clocks)
  const [earliest, latest] = [from + least, from + most + SLACK_SECONDS]
  const range = `${field} must be ${earliest} to ${from + most}: ${least} to ${most} seconds after now, ${from}.`
  if (end < earliest)
    return { detail: 'window_too_short', message: `${field} ${end} is over or ends too soon; ${range}` }
  if (end > latest) return { detail: 'window_too_long', message: `${field} ${end} is too far ahead; ${range}` }
  return null
}

/**
 * Checks the beginning of an authorization, which USDC compares with the time of its block; null: it is accepted.
 * Example: at head 1000 a `validAfter` of 999 is accepted, 1000 is not.
 */
export function judgeBeginning(
  validAfter: bigint,
  { clocks: { head }, field }: { clocks: Clocks; field: string },
): WindowProblem | null {
  if (validAfter < head) return null
  return {
    detail: 'clock_ahead',
    message:
      `${field} ${validAfter} must be below the time of the newest block, ${head}: it is ${validAfter - head + 1n} too high. ` +
      'Sign it with 0, or with a time some minutes ago.',
  }
}

/**
 * Checks a signed moment, which must be near one of the clocks; null: it is accepted.
 * Example: at head 1000 a consent of 640 is accepted, one of 639 is not.
 */
export function judgeMoment(
  { back, ahead }: MomentBounds,
  moment: bigint,
  { clocks, field }: { clocks: Clocks; field: string },
): WindowProblem | null {
  const isNear = [clocks.head, clocks.current].some(
    (clock) => moment >= clock - back - SLACK_SECONDS && moment <= clock + ahead + SLACK_SECONDS,
  )
  if (isNear) return null
  const now = latestOf(clocks)
  const isAhead = moment > now
  const rule = `must be at most ${back} seconds before and ${ahead} after now, ${now}`
  return { detail: isAhead ? 'window_too_long' : 'window_too_short', message: `${field} ${moment} ${rule}.` }
}

/**
 * Returns whether the head is so far from the host's clock that signed windows cannot be checked by both.
 * Example: with head 1000 false at a clock of 1060, true at 1061.
 */
export function isHeadStale({ head, current }: Clocks): boolean {
  const distance = head > current ? head - current : current - head
  return distance > MOST_HEAD_AGE_SECONDS
}
