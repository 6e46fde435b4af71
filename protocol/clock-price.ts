import { type clockTypes, isClockType } from './rules/selectors.ts'

/**
 * The terms of a dutch or reverse dutch auction. The price changes with time. Amounts are USDC base units, times Unix
 * seconds.
 */
export interface Clock {
  auctionType: (typeof clockTypes)[number]
  /** The auction's maximum price, which is the task's reward, USDC base units. */
  maximum: bigint
  /** The lowest price of a dutch auction, or the first price of a reverse dutch auction; at most `maximum`. */
  clockPrice: bigint
  createdAt: bigint
  /** The time from which the price no longer changes, Unix seconds; later than `createdAt`. */
  bidDeadline: bigint
}

/**
 * Name of the field that sets `Clock.clockPrice` in a request for a new task, for each auction type. Only the auction
 * types whose price changes with time have such a field.
 */
export const clockPriceFields = {
  dutch: 'auctionFloorPrice',
  reverse_dutch: 'auctionStartPrice',
} as const satisfies Record<Clock['auctionType'], string>

/** The columns of a task's row from which `clockOf` computes how an auction's price changes with time. */
export interface ClockTerms {
  auctionType: string | null
  reward: bigint
  clockPrice: bigint | null
  createdAt: bigint
  bidDeadline: bigint | null
}

/**
 * Returns the terms of a dutch or reverse dutch auction, also after the auction's end. Returns null for any other task.
 *
 * Example: `clockOf({ auctionType: 'english', ... })` is null.
 */
export function clockOf({ auctionType, reward, clockPrice, createdAt, bidDeadline }: ClockTerms): Clock | null {
  if (!isClockType(auctionType) || clockPrice === null || bidDeadline === null) return null
  return { auctionType, maximum: reward, clockPrice, createdAt, bidDeadline }
}

/**
 * Returns the price at the time `now`, in USDC base units. The price changes linearly from the creation to the bid
 * deadline, and stays constant afterwards. The change is rounded down. A dutch price falls from the maximum to the
 * floor. A reverse dutch price rises from the start price to the maximum.
 *
 * Example: a dutch price that falls from 1000n to 100n in 7 seconds is 872n after one second.
 */
export function clockPriceAt({ auctionType, maximum, clockPrice, createdAt, bidDeadline }: Clock, now: bigint): bigint {
  // `now` may be before the creation if the caller read the latest block before the task's block.
  const elapsed = (now < bidDeadline ? now : bidDeadline) - createdAt
  const priceMove = ((maximum - clockPrice) * (elapsed > 0n ? elapsed : 0n)) / (bidDeadline - createdAt)
  return auctionType === 'dutch' ? maximum - priceMove : clockPrice + priceMove
}

/**
 * Returns the default `minPrice` of a worker who accepts the current price of a dutch or reverse dutch auction. The
 * default is the lowest price, in USDC base units, that the auction has between `now` and `end`. `end` is the time at
 * which the worker's payment expires, in Unix seconds. Returns null for any other task.
 *
 * Example: a dutch price falls from 1000n to 100n in 7 seconds. If the payment expires after 6 seconds, the result is
 * 229n: 1000 minus 771, because 900 * 6 / 7 is 771 after rounding down.
 */
export function leastPriceOf(task: ClockTerms, { now, end }: { now: bigint; end: bigint }): bigint | null {
  // The worker accepts every price of the present clock, but no lower price after a change of the terms.
  const clock = clockOf(task)
  return clock && clockPriceAt(clock, clock.auctionType === 'dutch' ? end : now)
}
