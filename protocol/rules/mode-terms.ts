import type { AuctionType, TaskMode, unknownName } from './selectors.ts'

/**
 * Terms of a task as the market logs them. A term that the task's mode does not have is zero. Times are Unix seconds,
 * prices base units.
 */
export interface LoggedTerms {
  pitchDeadline: number
  bidDeadline: number
  clockPrice: bigint
}

/**
 * Converts logged terms to the columns of a task. A term that the task's mode does not have becomes null.
 * Example: a pitch task has `{ pitchDeadline: 1800000000n, bidDeadline: null, clockPrice: null }`.
 */
export function toModeTerms(
  { mode, auctionType }: { mode: TaskMode | typeof unknownName; auctionType: AuctionType | typeof unknownName | null },
  loggedTerms: LoggedTerms,
) {
  const hasClock = auctionType === 'dutch' || auctionType === 'reverse_dutch'
  return {
    pitchDeadline: mode === 'pitch' ? BigInt(loggedTerms.pitchDeadline) : null,
    bidDeadline: mode === 'auction' ? BigInt(loggedTerms.bidDeadline) : null,
    clockPrice: mode === 'auction' && hasClock ? loggedTerms.clockPrice : null,
  }
}
