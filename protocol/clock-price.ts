import { type clockTypes, isClockType } from './rules/selectors.ts'

/** What the price of a dutch or reverse dutch auction follows from. Amounts in base units, times in Unix seconds. */
export interface Clock {
  auctionType: (typeof clockTypes)[number]
  /** The most it may cost: the reward. */
  maximum: bigint
  /** The floor of a dutch auction, the start of a reverse one; at most `maximum`. */
  clockPrice: bigint
  createdAt: bigint
  /** When the price comes to rest; after `createdAt`. */
  bidDeadline: bigint
}

/** The field of a task that has its clock price, by the type of its auction. */
export const clockPriceFields = {
  dutch: 'auctionFloorPrice',
  reverse_dutch: 'auctionStartPrice',
} as const satisfies Record<Clock['auctionType'], string>

/** The columns of any task that a clock may be made of. */
export interface ClockTerms {
  auctionType: string | null
  reward: bigint
  clockPrice: bigint | null
  createdAt: bigint
  bidDeadline: bigint | null
}

/** What the columns of a task say of its clock, whatever its status; null where the price does not follow one. */
export function clockOf({ auctionType, reward, clockPrice, createdAt, bidDeadline }: ClockTerms): Clock | null {
  if (!isClockType(auctionType) || clockPrice === null || bidDeadline === null) return null
  return { auctionType, maximum: reward, clockPrice, createdAt, bidDeadline }
}

/**
 * The price at a time, base units: a straight line from creation to the bid deadline, then at rest. Dutch falls from
 * the maximum to the floor, reverse dutch rises from the start to the maximum; what the line moved is rounded down, as
 * the contract does it. A head that was read before the task's block is earlier than its creation: nothing has moved by
 * it.
 */
export function clockPriceAt({ auctionType, maximum, clockPrice, createdAt, bidDeadline }: Clock, now: bigint): bigint {
  const elapsed = (now < bidDeadline ? now : bidDeadline) - createdAt
  const moved = ((maximum - clockPrice) * (elapsed > 0n ? elapsed : 0n)) / (bidDeadline - createdAt)
  return auctionType === 'dutch' ? maximum - moved : clockPrice + moved
}

/**
 * The least that the call must bring a worker who named no minimum, base units: what the clock, as it stands, still
 * shows when their payment runs out. The clock itself never refuses a worker; a requester who changes the terms
 * meanwhile does not get the worker for less. Null where the price does not follow a clock.
 * `now` and `end`, of the payment, in Unix seconds.
 */
export function leastPriceOf(task: ClockTerms, { now, end }: { now: bigint; end: bigint }): bigint | null {
  const clock = clockOf(task)
  return clock && clockPriceAt(clock, clock.auctionType === 'dutch' ? end : now)
}
