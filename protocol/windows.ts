import type { Detail } from './details.ts'

/** The clocks that a window is judged by, Unix seconds. */
export interface Clocks {
  /** Time of the chain head. */
  head: bigint
  /** The host's clock; on a local chain the time of the node's pending block, which goes on while no block is mined. */
  current: bigint
}

/** How far ahead an end may be that a caller signed, seconds. */
interface EndBounds {
  least: bigint
  most: bigint
}

/** How far a signed moment may be from the clocks, seconds. */
interface MomentBounds {
  back: bigint
  ahead: bigint
}

/**
 * Every window that a caller's clock meets, as docs/limits.md promises it (Interface, "Windows"). `SLACK_SECONDS` beyond
 * these bounds is admitted and not promised: clocks of callers and blocks differ.
 */
export const ends = {
  /** The authorization of an x402 payment, and of a withdrawal of USDC. */
  payment: { least: 30n, most: 900n },
  /** The contract takes twice as much. */
  tokenWithdrawal: { least: 30n, most: 300n },
  boundOnlySwitch: { least: 30n, most: 900n },
  vaultClaim: { least: 15n, most: 600n },
  readIdentity: { least: 0n, most: 86_400n },
} as const satisfies Record<string, EndBounds>

export const moments = {
  consent: { back: 300n, ahead: 300n },
  curation: { back: 300n, ahead: 60n },
  webhook: { back: 300n, ahead: 300n },
  /** The time in the feedback file of a rating, which a caller may choose. */
  createdAt: { back: 300n, ahead: 300n },
} as const satisfies Record<string, MomentBounds>

/** The life of a payment that the challenge names, and that stock x402 clients sign, seconds (Interface, "Payments"). */
export const CHALLENGE_SECONDS = 300

/** Differences of clocks that are admitted beyond the documented bounds, seconds. */
export const SLACK_SECONDS = 60n

/** How far the head of a chain that is not local may be from the host's clock before writes are refused, seconds. */
export const MOST_HEAD_AGE_SECONDS = 60n

/** A fault of a window: the condition, and the sentence for the caller. */
export interface WindowProblem {
  detail: Extract<Detail, 'window_too_short' | 'window_too_long' | 'clock_ahead'>
  message: string
}

/** Returns the later one of the two clocks: ends are counted from it. */
export function latestOf({ head, current }: Clocks): bigint {
  return head > current ? head : current
}

/**
 * Judges the end of a signed window; null: it is admitted.
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

/** Judges the beginning of an authorization, which USDC compares with the time of its block; null: it is admitted. */
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

/** Judges a signed moment: it must be near one of the clocks; null: it is admitted. */
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

/** True when the head is so far from the host's clock that no signed window can be judged by both. */
export function isHeadStale({ head, current }: Clocks): boolean {
  const distance = head > current ? head - current : current - head
  return distance > MOST_HEAD_AGE_SECONDS
}
