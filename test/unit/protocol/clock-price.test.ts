import { expect, test } from 'vitest'
import { type Clock, clockOf, clockPriceAt, leastPriceOf } from '../../../protocol/clock-price.ts'
import { anAuction, BID_DEADLINE } from '../../support/task-snapshots.ts'

const dutch: Clock = { auctionType: 'dutch', maximum: 1_000n, clockPrice: 100n, createdAt: 50n, bidDeadline: 57n }
const terms = { auctionType: 'dutch', reward: 1_000n, clockPrice: 100n, createdAt: 50n, bidDeadline: 57n }

test('given a head that is earlier than the task, then the price has not moved', () => {
  expect(clockPriceAt(dutch, 49n)).toBe(1_000n)
  expect(clockPriceAt({ ...dutch, auctionType: 'reverse_dutch' }, 49n)).toBe(100n)
})

test.each([
  ['no auction', { auctionType: null }],
  ['an auction of bids', { auctionType: 'english' }],
  ['no clock price', { clockPrice: null }],
  ['no bid deadline', { bidDeadline: null }],
])('given %s, then no clock', (_, changes) => {
  expect(clockOf({ ...terms, ...changes })).toBeNull()
  expect(leastPriceOf({ ...terms, ...changes }, { now: 51n, end: 56n })).toBeNull()
})

test('given a clock, then its terms', () => {
  expect(clockOf(terms)).toEqual(dutch)
})

const auction = anAuction('dutch')
const opening = auction.createdAt
const noon = (opening + BID_DEADLINE) / 2n

test.each([
  // 4 USDC fall in 82800 seconds: 28985 base units (rounded down) in 600.
  ['a dutch auction at its creation', auction, opening, 5_000_000n - 28_985n],
  ['a dutch auction at its deadline', auction, BID_DEADLINE - 1n, 1_000_000n],
  ['a reverse dutch auction halfway', anAuction('reverse_dutch'), noon, 3_000_000n],
  ['a head from before the task’s block', anAuction('reverse_dutch', { clockPrice: 1n }), opening - 60n, 1n],
] as const)(
  'given %s, then the least price in ten minutes is the lowest that its clock can reach',
  (_name, task, now, price) => {
    expect(leastPriceOf(task, { now, end: now + 600n })).toBe(price)
  },
)
