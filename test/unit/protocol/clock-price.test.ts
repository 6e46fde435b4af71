import { expect, test } from 'vitest'
import { type Clock, clockOf, clockPriceAt, leastPriceOf } from '../../../protocol/clock-price.ts'

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

test('given a clock, then a worker is due the least that it shows until the end of the payment', () => {
  expect(clockOf(terms)).toEqual(dutch)
  expect(leastPriceOf(terms, { now: 51n, end: 56n })).toBe(1_000n - 771n)
  expect(leastPriceOf({ ...terms, auctionType: 'reverse_dutch' }, { now: 51n, end: 56n })).toBe(100n + 128n)
})
