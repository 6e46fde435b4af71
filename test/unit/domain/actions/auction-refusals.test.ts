import { describe, expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { leastPriceOf } from '../../../../protocol/clock-price.ts'
import { type AuctionType, auctionTypes } from '../../../../protocol/rules/selectors.ts'
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

function refusalOf<Action extends keyof ActionArgs>(
  action: Action,
  task: TaskSnapshot,
  request: { actor?: `0x${string}` | null; now?: bigint; args: ActionArgs[Action] },
) {
  return admit(action, task, { actor: null, now: beforeDeadline, ...request })
}

const bid = (task: TaskSnapshot, price: bigint, request: { actor?: `0x${string}` | null; now?: bigint } = {}) =>
  refusalOf('bid', task, { ...request, args: { price } })

describe('a bid', () => {
  test.each(['english', 'reverse_english'] as const)(
    'given an %s auction, then 1000 base units up to the maximum price are admitted',
    (auctionType) => {
      const task = anAuction(auctionType)
      for (const price of [1000n, task.reward]) expect(bid(task, price)).toBeNull()
      expect(bid(task, 999n)).toMatchObject({ status: 400, failure: 'invalid_price', field: 'price' })
      expect(bid(task, task.reward + 1n)).toMatchObject({ status: 400, failure: 'bid_too_high', field: 'price' })
    },
  )

  test('given an english auction, then a bid must be below the lowest one, of any bidder, for every caller', () => {
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

  test('given an english auction at the smallest bid, then every wallet is refused', () => {
    const task = anAuction('english', { bids: [[alice, 1000n]] as const })
    expect(bid(task, 1000n)).toMatchObject({ failure: 'bid_not_lower' })
    expect(listPendingActions(task, beforeDeadline).map(({ action }) => action)).not.toContain('bid')
  })

  test('given the requester, then it is refused once its payment proves the payer', () => {
    for (const auctionType of ['english', 'reverse_english'] as const) {
      const refusal = bid(anAuction(auctionType), 5000n, { actor: requester })
      expect(refusal).toMatchObject({ status: 403, failure: 'own_task' })
      expect(bid(anAuction(auctionType), 5000n)).toBeNull()
    }
  })

  test('given 500 bids, then a leading one is admitted, and a sealed one is refused to a proven payer only', () => {
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

  test('given a reverse english auction, then a bid must be below the bidder’s own one only', () => {
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

  test('given a reverse english auction and an unknown bidder, then no bid matters', () => {
    const task = anAuction('reverse_english', {
      bids: [
        [alice, 2000n],
        [bob, 1000n],
      ] as const,
    })
    for (const price of [1000n, 2000n, 3000n, 5_000_000n]) expect(bid(task, price)).toBeNull()
  })

  test('given a reverse english auction, then the count that grows with each replaced bid is in no refusal', () => {
    const task = anAuction('reverse_english', { bids: [[alice, 9000n]] as const })
    const refusals = (bidCount: number) => [
      refusalOf('update', { ...task, bidCount }, { args: { textsChange: true } }),
      refusalOf('cancel', { ...task, bidCount }, { args: {} }),
    ]
    expect(refusals(1)).toMatchObject([{ failure: 'terms_locked' }, { failure: 'bids_exist' }])
    expect(refusals(2)).toEqual(refusals(1))
  })

  test('given the time before the deadline, then it is admitted while the task is open and the market admits entries', () => {
    for (const auctionType of ['english', 'reverse_english'] as const) {
      const task = anAuction(auctionType)
      expect(bid(task, 5000n, { now: afterDeadline })).toMatchObject({ status: 409, failure: 'deadline_passed' })
      expect(bid({ ...task, status: 'cancelled' }, 5000n)).toMatchObject({ status: 409, failure: 'wrong_state' })
      expect(bid({ ...task, entriesPaused: true }, 5000n)).toMatchObject({ status: 409, failure: 'market_paused' })
    }
  })

  test('given the evaluator or the resolver, then it is refused once the payment proves the payer', () => {
    const evaluated = anAuction('english', { evaluator: bob, disputeResolver: carol })
    for (const actor of [bob, carol]) {
      const refusal = bid(evaluated, 5000n, { actor })
      expect(refusal).toMatchObject({ status: 403, failure: 'judge_cannot_enter' })
      expect(refusal).not.toHaveProperty('field')
    }
    expect(bid(evaluated, 5000n, { actor: stranger })).toBeNull()
  })
})

describe('the clock price', () => {
  /** Halfway between creation and the end of its movement: 3 USDC, both ways. */
  const noon = (EXPIRY - 86_400n + BID_DEADLINE) / 2n
  const accept = (task: TaskSnapshot, minPrice?: bigint, request: { actor?: `0x${string}`; now?: bigint } = {}) =>
    refusalOf('auction_accept', task, { now: noon, ...request, args: { minPrice } })

  test.each(['dutch', 'reverse_dutch'] as const)(
    'given a %s auction, then a worker whose minimum it reaches may take it',
    (auctionType) => {
      const task = anAuction(auctionType)
      for (const minPrice of [undefined, 0n, 1n, 3_000_000n]) expect(accept(task, minPrice)).toBeNull()
      expect(accept(task, 3_000_001n)).toMatchObject({ status: 409, failure: 'price_below_minimum', field: 'minPrice' })
    },
  )

  test('given the deadline, then it stays until the expiry, and is refused after that', () => {
    const [dutch, reverse] = [anAuction('dutch'), anAuction('reverse_dutch')]
    for (const now of [BID_DEADLINE, EXPIRY - 1n]) {
      expect(accept(dutch, 1_000_000n, { now })).toBeNull()
      expect(accept(dutch, 1_000_001n, { now })).toMatchObject({ failure: 'price_below_minimum' })
      expect(accept(reverse, 5_000_000n, { now })).toBeNull()
    }
    expect(accept(dutch, undefined, { now: EXPIRY })).toMatchObject({ status: 409, failure: 'deadline_passed' })
  })

  test('given a head from before the task’s block, then it has not moved', () => {
    const [dutch, reverse] = [anAuction('dutch'), anAuction('reverse_dutch', { clockPrice: 1n })]
    for (const now of [dutch.createdAt, dutch.createdAt - 1n, dutch.createdAt - 60n]) {
      expect(accept(dutch, dutch.reward, { now })).toBeNull()
      expect(accept(dutch, dutch.reward + 1n, { now })).toMatchObject({ failure: 'price_below_minimum' })
      expect(leastPriceOf(reverse, { now, end: now + 600n })).toBe(1n)
    }
  })

  test('given the market admits entries, then it is taken once, by neither the requester nor the evaluator or resolver', () => {
    const task = anAuction('dutch')
    expect(accept({ ...task, status: 'claimed' })).toMatchObject({ status: 409, failure: 'wrong_state' })
    expect(accept({ ...task, entriesPaused: true })).toMatchObject({ status: 409, failure: 'market_paused' })
    expect(accept(task, undefined, { actor: requester })).toMatchObject({ status: 403, failure: 'own_task' })
    expect(accept({ ...task, evaluator: bob }, undefined, { actor: bob })).toMatchObject({
      status: 403,
      failure: 'judge_cannot_enter',
    })
  })

  test('given no minimum, then it is admitted for any price the clock can reach, and for no lower one', () => {
    const [dutch, reverse] = [anAuction('dutch'), anAuction('reverse_dutch')]
    // 4 USDC fall in 82800 seconds: 28985 base units (rounded down) in 600.
    const opening = dutch.createdAt
    expect(leastPriceOf(dutch, { now: opening, end: opening + 600n })).toBe(5_000_000n - 28_985n)
    expect(leastPriceOf(dutch, { now: BID_DEADLINE - 1n, end: BID_DEADLINE - 1n + 600n })).toBe(1_000_000n)
    expect(leastPriceOf(reverse, { now: noon, end: noon + 600n })).toBe(3_000_000n)
  })
})

describe('the lowest bidder', () => {
  const select = (task: TaskSnapshot, now: bigint, actor: `0x${string}` | null = null) =>
    refusalOf('select_winner', task, { now, actor, args: {} })

  test.each(['english', 'reverse_english'] as const)(
    'given an %s auction, then any account may select from the deadline until the expiry',
    (auctionType) => {
      const task = anAuction(auctionType, { bids: [[alice, 9000n]] as const })
      for (const now of [BID_DEADLINE, EXPIRY - 1n]) {
        for (const actor of [null, requester, alice, stranger]) expect(select(task, now, actor)).toBeNull()
      }
      expect(select(task, BID_DEADLINE - 1n)).toMatchObject({ status: 409, failure: 'too_early' })
      expect(select(task, EXPIRY)).toMatchObject({ status: 409, failure: 'deadline_passed' })
      expect(select({ ...task, status: 'claimed' }, BID_DEADLINE)).toMatchObject({ failure: 'wrong_state' })
      expect(select({ ...task, entriesPaused: true }, BID_DEADLINE)).toBeNull()
    },
  )

  test('given no bid, then it is refused', () => {
    expect(select(anAuction('english'), BID_DEADLINE)).toMatchObject({ status: 409, failure: 'no_bids' })
  })
})

describe('the writes of each subtype', () => {
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

  test.each(Object.keys(actions) as (keyof typeof actions)[])(
    'given %s, then exactly the subtypes that have it admit it',
    (action) => {
      for (const auctionType of auctionTypes) {
        const failure = wrongFor(action)(anAuction(auctionType, { bids: [[alice, 9000n]] as const }))?.failure
        expect(failure === 'wrong_mode').toBe(!subtypes[action].includes(auctionType))
      }
      for (const task of [aSnapshot(), anAuction('english', { auctionType: 'unknown' })]) {
        expect(wrongFor(action)(task)).toMatchObject({ status: 409, failure: 'wrong_mode' })
      }
    },
  )

  test('given a write of another subtype, then the refusal names what the task lacks', () => {
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
