import { describe, expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { leastPriceOf } from '../../../../api/domain/actions/auction-accept.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { type AuctionType, auctionTypes } from '../../../../src/rules/selectors.ts'
import {
  alice,
  anAuction,
  aSnapshot,
  BID_DEADLINE,
  bob,
  carol,
  EXPIRY,
  requester,
  stranger,
} from '../../../support/task-snapshots.ts'

const [beforeDeadline, afterDeadline] = [BID_DEADLINE - 1n, BID_DEADLINE]

function judge<Action extends keyof ActionArgs>(
  action: Action,
  task: TaskSnapshot,
  request: { actor?: `0x${string}` | null; now?: bigint; args: ActionArgs[Action] },
) {
  return admit(action, task, { actor: null, now: beforeDeadline, ...request })
}

const bid = (task: TaskSnapshot, price: bigint, request: { actor?: `0x${string}` | null; now?: bigint } = {}) =>
  judge('bid', task, { ...request, args: { price } })

describe('a bid', () => {
  test.each(['english', 'reverse_english'] as const)(
    'in an %s auction is 1000 base units to the most it may cost',
    (auctionType) => {
      const task = anAuction(auctionType)
      for (const price of [1000n, task.reward]) expect(bid(task, price)).toBeNull()
      expect(bid(task, 999n)).toMatchObject({ status: 400, failure: 'invalid_price', field: 'price' })
      expect(bid(task, task.reward + 1n)).toMatchObject({ status: 400, failure: 'bid_too_high', field: 'price' })
    },
  )

  test('in an english auction is below the lowest one, whoever placed that and whoever asks', () => {
    const task = anAuction('english', {
      bids: [
        [alice, 9000n],
        [bob, 7000n],
      ] as const,
    })
    for (const actor of [null, alice, bob, carol]) {
      expect(bid(task, 6990n, { actor })).toBeNull()
      expect(bid(task, 7000n, { actor })).toMatchObject({ status: 409, failure: 'bid_not_lower', field: 'price' })
    }
  })

  test('in an english auction that has come down to the smallest bid is refused to every wallet', () => {
    const task = anAuction('english', { bids: [[alice, 1000n]] as const })
    expect(bid(task, 1000n)).toMatchObject({ failure: 'bid_not_lower' })
    expect(listPendingActions(task, beforeDeadline).map(({ action }) => action)).not.toContain('bid')
  })

  test('of the requester is refused once its payment proves who it is', () => {
    for (const auctionType of ['english', 'reverse_english'] as const) {
      const refusal = bid(anAuction(auctionType), 5000n, { actor: requester })
      expect(refusal).toMatchObject({ status: 403, failure: 'own_auction' })
      expect(bid(anAuction(auctionType), 5000n)).toBeNull()
    }
  })

  test('from the 500th bid on is taken where it leads, and a sealed one says so to a proven payer only', () => {
    const bids = [[alice, 9000n]] as const
    const [english, sealed] = [
      anAuction('english', { bids, bidCount: 500 }),
      anAuction('reverse_english', { bids, bidCount: 500 }),
    ]
    for (const task of [english, sealed]) {
      expect(bid(task, 8999n, { actor: bob })).toBeNull()
      expect(listPendingActions(task, beforeDeadline).map(({ action }) => action)).toContain('bid')
    }
    expect(bid(english, 9000n, { actor: bob })).toMatchObject({ status: 409, failure: 'bid_not_lower' })
    expect(bid(sealed, 9000n, { actor: bob })).toMatchObject({
      status: 409,
      failure: 'bid_limit_reached',
      message: expect.stringContaining('BidLimitReached'),
    })
    expect(bid(sealed, 9000n)).toBeNull()
    expect(bid({ ...sealed, bidCount: 499 }, 9000n, { actor: bob })).toBeNull()
    const floor = anAuction('reverse_english', { bids: [[alice, 1000n]] as const, bidCount: 500 })
    expect(listPendingActions(floor, beforeDeadline).map(({ action }) => action)).not.toContain('bid')
    const open = listPendingActions({ ...floor, bidCount: 499 }, beforeDeadline)
    expect(open.map(({ action }) => action)).toContain('bid')
  })

  test('in a reverse english auction is below the bidder’s own one, and below nobody else’s', () => {
    const task = anAuction('reverse_english', {
      bids: [
        [alice, 9000n],
        [bob, 7000n],
      ] as const,
    })
    expect(bid(task, 8990n, { actor: alice })).toBeNull()
    expect(bid(task, 9000n, { actor: alice })).toMatchObject({ status: 409, failure: 'bid_not_lower', field: 'price' })
    expect(bid(task, 5_000_000n, { actor: carol })).toBeNull()
  })

  test('in a reverse english auction depends on no bid at all as long as nobody is known to bid', () => {
    const task = anAuction('reverse_english', {
      bids: [
        [alice, 2000n],
        [bob, 1000n],
      ] as const,
    })
    for (const price of [1000n, 2000n, 3000n, 5_000_000n]) expect(bid(task, price)).toBeNull()
  })

  test('in a reverse english auction is counted in no refusal: the count grows when somebody gives way', () => {
    const task = anAuction('reverse_english', { bids: [[alice, 9000n]] as const })
    const refusals = (bidCount: number) => [
      judge('update', { ...task, bidCount }, { args: { textsChange: true } }),
      judge('cancel', { ...task, bidCount }, { args: {} }),
    ]
    expect(refusals(1)).toMatchObject([{ failure: 'terms_locked' }, { failure: 'bids_exist' }])
    expect(refusals(2)).toEqual(refusals(1))
  })

  test('is possible before the deadline, while the task is open and the market takes entries', () => {
    for (const auctionType of ['english', 'reverse_english'] as const) {
      const task = anAuction(auctionType)
      expect(bid(task, 5000n, { now: afterDeadline })).toMatchObject({ status: 409, failure: 'too_late' })
      expect(bid({ ...task, status: 'cancelled' }, 5000n)).toMatchObject({ status: 409, failure: 'wrong_status' })
      expect(bid({ ...task, entriesPaused: true }, 5000n)).toMatchObject({ status: 409, failure: 'market_paused' })
    }
  })

  test('is not for who judges the task: known once he pays', () => {
    const judged = anAuction('english', { evaluator: bob, disputeResolver: carol })
    for (const actor of [bob, carol]) {
      const refusal = bid(judged, 5000n, { actor })
      expect(refusal).toMatchObject({ status: 403, failure: 'judge_cannot_enter' })
      expect(refusal).not.toHaveProperty('field')
    }
    expect(bid(judged, 5000n, { actor: stranger })).toBeNull()
  })
})

describe('the clock price', () => {
  /** Halfway between creation and rest: 3 USDC, both ways. */
  const noon = (EXPIRY - 86_400n + BID_DEADLINE) / 2n
  const accept = (task: TaskSnapshot, minPrice?: bigint, request: { actor?: `0x${string}`; now?: bigint } = {}) =>
    judge('auction_accept', task, { now: noon, ...request, args: { minPrice } })

  test.each(['dutch', 'reverse_dutch'] as const)('of a %s auction is taken by whom it is not below', (auctionType) => {
    const task = anAuction(auctionType)
    for (const minPrice of [undefined, 0n, 1n, 3_000_000n]) expect(accept(task, minPrice)).toBeNull()
    expect(accept(task, 3_000_001n)).toMatchObject({ status: 409, failure: 'price_below_minimum', field: 'minPrice' })
  })

  test('rests from the deadline to the expiry, and is gone then', () => {
    const [dutch, reverse] = [anAuction('dutch'), anAuction('reverse_dutch')]
    for (const now of [BID_DEADLINE, EXPIRY - 1n]) {
      expect(accept(dutch, 1_000_000n, { now })).toBeNull()
      expect(accept(dutch, 1_000_001n, { now })).toMatchObject({ failure: 'price_below_minimum' })
      expect(accept(reverse, 5_000_000n, { now })).toBeNull()
    }
    expect(accept(dutch, undefined, { now: EXPIRY })).toMatchObject({ status: 409, failure: 'too_late' })
  })

  test('has not moved yet by a head that was read before the block of the task', () => {
    const [dutch, reverse] = [anAuction('dutch'), anAuction('reverse_dutch', { clockPrice: 1n })]
    for (const now of [dutch.createdAt, dutch.createdAt - 1n, dutch.createdAt - 60n]) {
      expect(accept(dutch, dutch.reward, { now })).toBeNull()
      expect(accept(dutch, dutch.reward + 1n, { now })).toMatchObject({ failure: 'price_below_minimum' })
      expect(leastPriceOf(reverse, { now, validSeconds: 600n })).toBe(1n)
    }
  })

  test('is taken once, while the market takes entries, and not by its requester nor by who judges it', () => {
    const task = anAuction('dutch')
    expect(accept({ ...task, status: 'claimed' })).toMatchObject({ status: 409, failure: 'wrong_status' })
    expect(accept({ ...task, entriesPaused: true })).toMatchObject({ status: 409, failure: 'market_paused' })
    expect(accept(task, undefined, { actor: requester })).toMatchObject({ status: 403, failure: 'own_auction' })
    expect(accept({ ...task, evaluator: bob }, undefined, { actor: bob })).toMatchObject({
      status: 403,
      failure: 'judge_cannot_enter',
    })
  })

  test('without a minimum is taken for what the clock can still come to, and not for less', () => {
    const [dutch, reverse] = [anAuction('dutch'), anAuction('reverse_dutch')]
    // 4 USDC fall in 82800 seconds: 28985 base units (rounded down) in 600.
    const opening = dutch.createdAt
    expect(leastPriceOf(dutch, { now: opening, validSeconds: 600n })).toBe(5_000_000n - 28_985n)
    expect(leastPriceOf(dutch, { now: BID_DEADLINE - 1n, validSeconds: 600n })).toBe(1_000_000n)
    expect(leastPriceOf(reverse, { now: noon, validSeconds: 600n })).toBe(3_000_000n)
  })
})

describe('the lowest bidder', () => {
  const select = (task: TaskSnapshot, now: bigint, actor: `0x${string}` | null = null) =>
    judge('select_winner', task, { now, actor, args: {} })

  test.each(['english', 'reverse_english'] as const)(
    'of an %s auction is selected by anyone from the deadline until the expiry',
    (auctionType) => {
      const task = anAuction(auctionType, { bids: [[alice, 9000n]] as const })
      for (const now of [BID_DEADLINE, EXPIRY - 1n]) {
        for (const actor of [null, requester, alice, stranger]) expect(select(task, now, actor)).toBeNull()
      }
      expect(select(task, BID_DEADLINE - 1n)).toMatchObject({ status: 409, failure: 'too_early' })
      expect(select(task, EXPIRY)).toMatchObject({ status: 409, failure: 'too_late' })
      expect(select({ ...task, status: 'claimed' }, BID_DEADLINE)).toMatchObject({ failure: 'wrong_status' })
      expect(select({ ...task, entriesPaused: true }, BID_DEADLINE)).toBeNull()
    },
  )

  test('needs a bid', () => {
    expect(select(anAuction('english'), BID_DEADLINE)).toMatchObject({ status: 409, failure: 'no_bids' })
  })
})

describe('of each subtype', () => {
  const actions = {
    bid: { price: 5000n },
    auction_accept: {},
    select_winner: {},
  } as const
  const subtypes: Record<keyof typeof actions, readonly AuctionType[]> = {
    bid: ['english', 'reverse_english'],
    auction_accept: ['dutch', 'reverse_dutch'],
    select_winner: ['english', 'reverse_english'],
  }
  const wrongFor = (action: keyof typeof actions) => (task: TaskSnapshot) =>
    admit(action, task, { actor: null, now: beforeDeadline, args: actions[action] as never })

  test.each(Object.keys(actions) as (keyof typeof actions)[])('%s is had or not', (action) => {
    for (const auctionType of auctionTypes) {
      const failure = wrongFor(action)(anAuction(auctionType, { bids: [[alice, 9000n]] as const }))?.failure
      expect(failure === 'wrong_mode').toBe(!subtypes[action].includes(auctionType))
    }
    for (const task of [aSnapshot(), anAuction('english', { auctionType: 'unknown' })]) {
      expect(wrongFor(action)(task)).toMatchObject({ status: 409, failure: 'wrong_mode' })
    }
  })

  test('the refusal says what the task has not', () => {
    const messages = [
      wrongFor('bid')(anAuction('reverse_dutch')),
      wrongFor('bid')(aSnapshot()),
      wrongFor('auction_accept')(anAuction('english')),
      wrongFor('select_winner')(anAuction('dutch')),
    ].map((refusal) => refusal?.message)
    expect(messages).toEqual([
      'A reverse dutch auction takes no bids.',
      'A bounty task takes no bids.',
      'An english auction has no clock price to accept.',
      'A dutch auction takes no bids, and so has no winner to select.',
    ])
  })
})
