import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import { alice, anAuction, anyTime, BID_DEADLINE, bob, EXPIRY, taskId } from '../../../support/task-snapshots.ts'

const byAnyWorker = { role: 'worker', eligibleAddress: null, requiresPayment: true, paymentAmount: 1000n }
const noBounds = { availableAfter: null, availableUntil: null, targetWorker: null }

describe.each(['english', 'reverse_english'] as const)('an %s auction', (auctionType) => {
  const withBids = anAuction(auctionType, {
    bids: [
      [alice, 9000n],
      [bob, 7000n],
    ] as const,
  })
  const namesAt = (now: bigint) => listPendingActions(withBids, now).map(({ action, role }) => `${action} ${role}`)

  test('given no time limit passed, then a bid is offered until its deadline', () => {
    expect(listPendingActions(anAuction(auctionType), BID_DEADLINE - 1n)).toContainEqual({
      ...noBounds,
      ...byAnyWorker,
      action: 'bid',
      command: `task bid ${taskId} --price <usdc>`,
      availableUntil: BID_DEADLINE,
    })
  })

  test('given a bid, then its winner is offered from the deadline until the expiry, to any account, once, for free', () => {
    expect(namesAt(BID_DEADLINE - 1n)).toEqual(['bid worker'])
    expect(listPendingActions(withBids, BID_DEADLINE)).toEqual([
      {
        role: 'anyone',
        action: 'select_winner',
        command: `task select-winner ${taskId}`,
        eligibleAddress: null,
        requiresPayment: false,
        paymentAmount: null,
        targetWorker: null,
        availableAfter: BID_DEADLINE,
        availableUntil: EXPIRY,
      },
    ])
    expect(namesAt(EXPIRY - 1n)).toEqual(['select_winner anyone'])
    expect(namesAt(EXPIRY)).toEqual(['refund_expired requester', 'refund_expired anyone'])
  })

  test('given no bid, then no winner is offered', () => {
    const names = listPendingActions(anAuction(auctionType), BID_DEADLINE).map(({ action }) => action)
    expect(names).not.toContain('select_winner')
    expect(names).not.toContain('bid')
  })
})

test.each(['dutch', 'reverse_dutch'] as const)(
  'given a %s auction, then its price is offered until the expiry',
  (auctionType) => {
    for (const now of [BID_DEADLINE - 1n, EXPIRY - 1n]) {
      expect(listPendingActions(anAuction(auctionType), now)).toContainEqual({
        ...noBounds,
        ...byAnyWorker,
        action: 'auction_accept',
        availableUntil: EXPIRY,
        command: `task auction-accept ${taskId} --min-price <usdc>`,
      })
    }
    const names = listPendingActions(anAuction(auctionType), EXPIRY).map(({ action }) => action)
    expect(names).not.toContain('auction_accept')
    expect(names).not.toContain('bid')
  },
)

test.each([
  ['an english auction at the smallest bid', 'english', 1, false],
  ['a reverse english auction at the smallest bid with 499 bids', 'reverse_english', 499, true],
  ['a reverse english auction at the smallest bid with 500 bids', 'reverse_english', 500, false],
] as const)('given %s, then a bid is offered only if one can be placed', (_name, auctionType, bidCount, isOffered) => {
  const task = anAuction(auctionType, { bids: [[alice, 1000n]] as const, bidCount })
  const names = listPendingActions(task, BID_DEADLINE - 1n).map(({ action }) => action)
  expect(names.includes('bid')).toBe(isOffered)
})

describe('sealed bids', () => {
  /** The same auction with the same count of bids, by any bidders at any prices. */
  const anySealed = fc
    .tuple(fc.bigInt({ min: 1000n, max: 5_000_000n }), fc.bigInt({ min: 1000n, max: 5_000_000n }))
    .map(([one, other]) =>
      anAuction('reverse_english', {
        bids: [
          [alice, one],
          [bob, other],
        ] as const,
      }),
    )

  test('given any bidders and prices, then the offers are the same', () => {
    fc.assert(
      fc.property(anySealed, anySealed, anyTime, (one, other, now) => {
        expect(listPendingActions(one, now)).toEqual(listPendingActions(other, now))
      }),
    )
  })

  test('given any bidders and prices, then a stranger’s answer is the same, and a bidder’s depends on their own bid alone', () => {
    fc.assert(
      fc.property(anySealed, anySealed, fc.bigInt({ min: 0n, max: 5_000_001n }), anyTime, (one, other, price, now) => {
        const answers = (task: typeof one, actor: `0x${string}` | null) =>
          admit('bid', task, { actor, now, args: { price } })
        expect(answers(one, null)).toEqual(answers(other, null))
        const sameOwn = {
          ...other,
          entries: new Map(other.entries).set(alice, one.entries.get(alice) ?? expect.fail()),
        }
        expect(answers(one, alice)).toEqual(answers(sameOwn, alice))
      }),
    )
  })
})
