import { expect, test } from 'vitest'
import { type Clock, clockOf, clockPriceAt, leastPriceOf } from '../../../protocol/clock-price.ts'

const dutch: Clock = { auctionType: 'dutch', maximum: 1_000n, clockPrice: 100n, createdAt: 50n, bidDeadline: 57n }
const terms = { auctionType: 'dutch', reward: 1_000n, clockPrice: 100n, createdAt: 50n, bidDeadline: 57n }

// 900 base units within 7 seconds; what the line moved is rounded down.
test.each([
  [49n, 0n],
  [50n, 0n],
  [51n, 128n],
  [56n, 771n],
  [57n, 900n],
  [58n, 900n],
])('at %d the price has moved by %d: down from the maximum, or up from the start', (now, moved) => {
  expect(clockPriceAt(dutch, now)).toBe(1_000n - moved)
  expect(clockPriceAt({ ...dutch, auctionType: 'reverse_dutch' }, now)).toBe(100n + moved)
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
