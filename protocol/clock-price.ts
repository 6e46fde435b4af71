import { type clockTypes, isClockType } from './rules/selectors.ts'

/** The terms of the price of a dutch or reverse dutch auction. Amounts in base units, times in Unix seconds. */
export interface Clock {
  auctionType: (typeof clockTypes)[number]
  /** The maximum price: the reward. */
  maximum: bigint
  /** The floor of a dutch auction, the start of a reverse one; at most `maximum`. */
  clockPrice: bigint
  createdAt: bigint
  /** The time from which the price stays; after `createdAt`. */
  bidDeadline: bigint
}

/** The field of a task with its clock price, by the type of its auction. */
export const clockPriceFields = {
  dutch: 'auctionFloorPrice',
  reverse_dutch: 'auctionStartPrice',
} as const satisfies Record<Clock['auctionType'], string>

/** The columns of a task from which its clock follows. */
export interface ClockTerms {
  auctionType: string | null
  reward: bigint
  clockPrice: bigint | null
  createdAt: bigint
  bidDeadline: bigint | null
}

/**
 * Returns the clock of a task, in any status; null where the price does not follow one.
 *
 * Example: `clockOf({ auctionType: 'english', ... })` is null.
 */
export function clockOf({ auctionType, reward, clockPrice, createdAt, bidDeadline }: ClockTerms): Clock | null {
  if (!isClockType(auctionType) || clockPrice === null || bidDeadline === null) return null
  return { auctionType, maximum: reward, clockPrice, createdAt, bidDeadline }
}

/**
 * Returns the price at a time, base units. It moves in a straight line from the creation to the bid deadline, then stays. Dutch
 * falls from the maximum to the floor, reverse dutch rises from the start to the maximum; the distance moved is rounded down, as
 * in the contract. A head that was read before the task's block is earlier than the creation: the price has not moved then.
 *
 * Example: a dutch price from 1000n to 100n over 7 seconds is 872n after the first.
 */
export function clockPriceAt({ auctionType, maximum, clockPrice, createdAt, bidDeadline }: Clock, now: bigint): bigint {
  const elapsed = (now < bidDeadline ? now : bidDeadline) - createdAt
  const moved = ((maximum - clockPrice) * (elapsed > 0n ? elapsed : 0n)) / (bidDeadline - createdAt)
  return auctionType === 'dutch' ? maximum - moved : clockPrice + moved
}

/**
 * Returns the least that the call of a worker without a minimum must bring, base units: the clock's lowest price until the
 * payment ends. The present clock never refuses a worker; a requester who changes the terms meanwhile does not get the worker for
 * less. Null where the price does not follow a clock. `now` and `end`, of the payment, in Unix seconds.
 *
 * Example: a dutch price from 1000n to 100n over 7 seconds, with one second left at the end of the payment, is 229n.
 */
export function leastPriceOf(task: ClockTerms, { now, end }: { now: bigint; end: bigint }): bigint | null {
  const clock = clockOf(task)
  return clock && clockPriceAt(clock, clock.auctionType === 'dutch' ? end : now)
}
