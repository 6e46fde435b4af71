import type { Detail } from './details.ts'

/**
 * The two clocks against which a signed time is checked: the time of the latest block, and the time of the host. Unix
 * seconds.
 */
export interface Clocks {
  /** Time of the latest block. */
  head: bigint
  /** Time of the host's clock, Unix seconds. On a local chain, the time of the node's pending block is used instead. */
  current: bigint
}

/** Minimum and maximum time from now to the end of a signature's validity, seconds. */
interface EndBounds {
  least: bigint
  most: bigint
}

/** The most seconds by which a signed time may lie in the past (`back`) or in the future (`ahead`). */
interface MomentBounds {
  back: bigint
  ahead: bigint
}

/**
 * Bounds for the end of a signature's validity, for each kind of signed message (docs/build/limits.md; interface
 * specification, "Windows").
 */
// The service also accepts an end up to `SLACK_SECONDS` above the maximum, because clocks differ. Callers must not rely
// on the slack.
export const ends = {
  /** Bounds for the end of an ERC-3009 authorization: an x402 payment or a withdrawal of USDC. */
  payment: { least: 30n, most: 900n },
  /**
   * Bounds for the end of a signed withdrawal of reward tokens. The contract itself accepts an end up to 600 seconds
   * ahead.
   */
  tokenWithdrawal: { least: 30n, most: 300n },
  boundOnlySwitch: { least: 30n, most: 900n },
  vaultClaim: { least: 15n, most: 600n },
  readIdentity: { least: 0n, most: 86_400n },
} as const satisfies Record<string, EndBounds>

/** Bounds for a signed time that must be near the present, for each kind of signed message. */
export const moments = {
  consent: { back: 300n, ahead: 300n },
  curation: { back: 300n, ahead: 60n },
  webhook: { back: 300n, ahead: 300n },
  /**
   * Bounds for the time of a rating. The sender of the rating may choose the time. The feedback file contains the time.
   */
  createdAt: { back: 300n, ahead: 300n },
} as const satisfies Record<string, MomentBounds>

/**
 * The number of seconds for which a payment authorization is valid. The payment challenge (402) contains it, and an
 * ordinary x402 client signs an authorization that expires after this time. See the interface specification,
 * "Payments".
 */
export const CHALLENGE_SECONDS = 300

/** Seconds by which a signed time may exceed the documented bounds, because clocks differ. */
export const SLACK_SECONDS = 60n

/**
 * Maximum difference between the latest block's time and the host's clock, in seconds. If the difference is larger, the
 * service refuses writes. A local chain has no maximum.
 */
export const MOST_HEAD_AGE_SECONDS = 60n

/** The reason why a signed time is refused: the detail of the error, and the message for the caller. */
export interface WindowProblem {
  detail: Extract<Detail, 'window_too_short' | 'window_too_long' | 'clock_ahead'>
  message: string
}

/**
 * Returns the later of the latest block's time and the host's time. A signed end of validity is compared with the later
 * time.
 * Example: `latestOf({ head: 1000n, current: 1001n })` is 1001n.
 */
export function latestOf({ head, current }: Clocks): bigint {
  return head > current ? head : current
}

/**
 * Checks a signed end of validity. Returns null if the end is accepted; otherwise the problem. The end must be at least
 * `least` seconds, and at most `most` + 60 seconds (`SLACK_SECONDS`), after the later of the two clocks (see
 * `latestOf`).
 *
 * Example: a payment has the bounds 30 and 900. If the clocks are 1000 and 1001, the function accepts every end from
 * 1031 (1001 + 30) to 1961 (1001 + 900 + 60).
 * @param end the signed end, Unix seconds
 * @param field name of the end in the message
 */
export function judgeEnd(
  { least, most }: EndBounds,
  end: bigint,
  { clocks, field }: { clocks: Clocks; field: string },
): WindowProblem | null {
  const from = latestOf(clocks)
  const [earliestEnd, latestEnd] = [from + least, from + most + SLACK_SECONDS]
  const range = `${field} must be ${earliestEnd} to ${from + most}: ${least} to ${most} seconds after now, ${from}.`
  if (end < earliestEnd)
    return { detail: 'window_too_short', message: `${field} ${end} is over or ends too soon; ${range}` }
  if (end > latestEnd) return { detail: 'window_too_long', message: `${field} ${end} is too far ahead; ${range}` }
  return null
}

/**
 * Checks the start of an authorization's validity. Returns null if the start is before the latest block's time;
 * otherwise the problem. USDC has the same rule for the block of the transfer.
 * Example: if the latest block has the time 1000, a `validAfter` of 999 is accepted and 1000 is not.
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
 * Checks a signed time against the latest block's time and the host's clock. Returns null if the signed time is near
 * one of the two clocks; otherwise the problem. Near means at most `back` + 60 seconds before the clock, or `ahead` +
 * 60 seconds after the clock (60: `SLACK_SECONDS`).
 * Example: a consent has a `back` of 300. If both clocks are 1000, the time 640 (1000 - 300 - 60) is accepted and 639
 * is not.
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
 * Returns whether the latest block's time and the host's clock differ by more than 60 seconds. Signed times cannot then
 * be checked.
 * Example: if the latest block has the time 1000, the result is false for a clock of 1060 and true for 1061.
 */
export function isHeadStale({ head, current }: Clocks): boolean {
  const distance = head > current ? head - current : current - head
  return distance > MOST_HEAD_AGE_SECONDS
}
