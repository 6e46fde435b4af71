import type { Address } from 'viem'
import { biddingTypes } from '../../../src/rules/selectors.ts'
import { ACTION_FEE, MAX_BIDS } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, needsOpenEntries, payerMayEnter, type TimeWindow } from './action-rule.ts'

export interface BidArgs {
  /** Base units. */
  price: bigint
}

/**
 * A worker's price, which he may lower. In an english auction it must be below every other one; in a reverse english
 * auction bids are sealed until the deadline, so nothing here depends on another worker's bid, nor tells of one: a bid
 * is held against the payer's own alone, once his payment proves who he is. Spec, "Claim, pitches, bids, proofs".
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
    (task.auctionType === 'english'
      ? needsBelow(task.lowestBid, price, 'the lowest bid')
      : needsBelow(ownBidOf(task, actor), price, 'your present bid')),
  offeredAs: ({ id }) => [{ command: `task bid ${id} --price <usdc>` }],
}

/** An auction always has a deadline. */
function untilBidDeadline({ bidDeadline }: TaskSnapshot): TimeWindow {
  return { from: null, until: bidDeadline }
}

/** The market counts every bid placed, replaced ones too. An english auction at one base unit is over as well. */
function needsRoomForBid({ bidCount, auctionType, lowestBid }: TaskSnapshot): Refusal | null {
  if (bidCount >= MAX_BIDS) {
    return refuse(409, 'bid_limit_reached', `${MAX_BIDS} bids have been placed (BidLimitReached): no more are taken.`)
  }
  if (auctionType !== 'english' || lowestBid !== 1n) return null
  return refuse(409, 'bid_not_lower', 'The lowest bid is 1 base unit: none can be below it.')
}

function checkPrice({ reward }: TaskSnapshot, price: bigint): Refusal | null {
  if (price === 0n) return refuse(400, 'invalid_price', 'The price must be more than 0.', { field: 'price' })
  if (price <= reward) return null
  return refuse(400, 'bid_too_high', `The price must be at most ${reward} base units, the task’s maxPrice.`, {
    field: 'price',
  })
}

function ownBidOf({ entries }: TaskSnapshot, actor: Address | null): bigint | null {
  return actor === null ? null : (entries.get(actor)?.bid ?? null)
}

function needsBelow(present: bigint | null, price: bigint, whose: string): Refusal | null {
  if (present === null || price < present) return null
  return refuse(409, 'bid_not_lower', `The price must be below ${present} base units, ${whose}.`, { field: 'price' })
}
