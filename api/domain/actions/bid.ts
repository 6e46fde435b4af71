import type { Address } from 'viem'
import { biddingTypes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE, MAX_BIDS, MIN_BID } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, needsOpenEntries, payerMayEnter, refuseOwnAuction, type TimeWindow } from './action-rule.ts'

export interface BidArgs {
  /** The price that the worker asks for, in USDC base units. */
  price: bigint
}

/**
 * The rule by which a worker bids a price in an auction, or lowers an earlier bid. In an english auction, the price
 * must be below all other bids. In a reverse english auction, the price must be below the worker's own earlier bid.
 * From `MAX_BIDS` bids on, it must also be below all other bids. See the specification, "Claim, pitches, bids, proofs".
 */
export const bidInAuction: ActionRule<BidArgs> = {
  action: 'bid',
  modes: ['auction'],
  auctionTypes: biddingTypes,
  denial: 'takes no bids',
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: () => [{ role: 'worker', address: null }],
  window: untilBidDeadline,
  blocked: (task) => needsOpenEntries(task) ?? needsRoomForBid(task),
  check: (task, { actor, args: { price } }) =>
    checkPrice(task, price) ??
    payerMayEnter(task, actor) ??
    refuseOwnAuction(task, actor) ??
    // In a reverse english auction, bids are sealed until the deadline, so a bid is compared only with the earlier bid
    // of the proven payer.
    (task.auctionType === 'english'
      ? needsBelow(task.lowestBid, price, 'the lowest bid')
      : needsBelow(ownBidOf(task, actor), price, 'your present bid')) ??
    (actor === null ? null : needsLead(task, price)),
  offeredAs: ({ id }) => [{ command: `task bid ${id} --price <usdc>` }],
}

/** Returns the window that ends at the bid deadline. Every auction has a bid deadline. */
function untilBidDeadline({ bidDeadline }: TaskSnapshot): TimeWindow {
  return { from: null, until: bidDeadline }
}

/**
 * Refuses every new bid if no valid price is left: a new bid must be below the lowest bid, but the lowest bid is
 * already the smallest possible price (`MIN_BID`). A new bid must be below the lowest bid in an english auction, and in
 * a sealed auction from `MAX_BIDS` bids on. In a sealed auction, the refusal discloses that the lowest bid is
 * `MIN_BID`.
 */
function needsRoomForBid({ bidCount, auctionType, lowestBid }: TaskSnapshot): Refusal | null {
  if (lowestBid === null || lowestBid > MIN_BID || (auctionType !== 'english' && bidCount < MAX_BIDS)) return null
  return refuse(
    409,
    'bid_not_lower',
    `The lowest bid is ${MIN_BID} base units, the smallest one: none can be below it.`,
  )
}

/**
 * Refuses a bid if `MAX_BIDS` bids exist and the new price is not below the lowest of them. Called only after the
 * payment is verified: in a sealed auction, this refusal discloses that the price is not the lowest.
 */
function needsLead({ bidCount, lowestBid }: TaskSnapshot, price: bigint): Refusal | null {
  if (bidCount < MAX_BIDS || lowestBid === null || price < lowestBid) return null
  const rule = `${MAX_BIDS} bids have been placed (BidLimitReached): only a bid below the lowest one is taken.`
  return refuse(409, 'bid_limit_reached', rule, { field: 'price' })
}

function checkPrice({ reward }: TaskSnapshot, price: bigint): Refusal | null {
  if (price < MIN_BID) {
    return refuse(400, 'invalid_price', `The price must be at least ${MIN_BID} base units.`, { field: 'price' })
  }
  if (price <= reward) return null
  return refuse(400, 'bid_too_high', `The price must be at most ${reward} base units, the task’s maxPrice.`, {
    field: 'price',
  })
}

function ownBidOf({ entries }: TaskSnapshot, actor: Address | null): bigint | null {
  return actor === null ? null : (entries.get(actor)?.bid ?? null)
}

function needsBelow(presentPrice: bigint | null, price: bigint, whose: string): Refusal | null {
  if (presentPrice === null || price < presentPrice) return null
  return refuse(409, 'bid_not_lower', `The price must be below ${presentPrice} base units, ${whose}.`, {
    field: 'price',
  })
}
